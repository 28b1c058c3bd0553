"""The majority parse of several candidates."""
