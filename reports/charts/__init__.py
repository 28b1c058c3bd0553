"""The report's charts as SVG, written by hand.

Altair with vl-convert was tried: it takes 3 s to start, then 0.2 s and 12 kB for a chart of eight rows. This
room takes 0.0001 s and 2 kB, and a report may have 80 charts. Vega's SVG has fixed colours, while these
charts follow the page into its dark mode and into print, and say on hover what a mark is, without a script.
"""
