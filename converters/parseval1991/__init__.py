"""Three steps of Black et al. (1991): erase words, delete empty brackets, redraw constructions."""
