"""Pictures of sentences: layouts of trees and arcs, their painting as SVG, and drawings as text."""
