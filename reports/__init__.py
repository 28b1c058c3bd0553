"""Reports: results, what is told of them in tables, figures and sentences, and the page that shows it."""
