"""Files beneath one folder: nothing in here opens a path that leads out of it. It knows no guest and no run."""
