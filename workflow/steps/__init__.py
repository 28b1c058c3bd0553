"""The steps of a study, one module each, as the rules call them."""
