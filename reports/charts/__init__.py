"""Charts of reports: each is one Vega-Lite specification, which vl-convert draws."""
