"""Reports: results, their tables, figures and sentences, and the page that shows them."""
