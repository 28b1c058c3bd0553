// The theme searches in a Worker, and browsers give none to a page that is opened from a folder (file://).
// There a hidden frame takes the worker's place: it runs the same script and answers the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      this.loaded = new Promise((resolve) => { script.onload = resolve; });
      frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      this.loaded.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })));
    }
  };
}
