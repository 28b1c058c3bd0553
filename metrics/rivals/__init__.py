"""Other programs' numbers and reports, each reproduced exactly: one module or package per program."""
