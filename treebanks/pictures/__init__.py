"""Sentences drawn: trees and arcs laid out once, painted as SVG or by a page's script, and as text."""
