"""What Crossbank and other packages add: read from manifests, without importing them and without NumPy."""
