"""Reports: tables, charts, pictures of trees, and the page that shows them."""
