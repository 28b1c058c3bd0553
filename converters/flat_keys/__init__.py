"""Flat keys after Gaizauskas et al. (1998): only the constituents on which grammars agree."""
