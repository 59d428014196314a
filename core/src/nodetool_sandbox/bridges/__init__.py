"""One capability a file: what the host does when a guest asks. What was not passed in is not here."""
