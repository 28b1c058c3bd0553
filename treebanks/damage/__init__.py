"""Damaged sentences in files of trees and columns: left without a parse, or repaired, and counted by kind."""
