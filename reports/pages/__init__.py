"""The report's pages: of HTML, and of a paper."""
