"""One example of everything that a package can add to Crossbank; each file is found by itself."""
