"""Gold and candidate sentence by sentence: which words, sentences and relations belong together."""
