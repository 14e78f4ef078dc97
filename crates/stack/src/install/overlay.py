"""What weir put beside an app's own packages, which come first: the app runs as it would without it."""

import os
import site
import sys

APP = []  # the folders of the app's own packages

own = os.path.dirname(os.path.abspath(__file__))
for folder in APP:
    site.addsitedir(folder)  # with its .pth files, as its own interpreter reads them
sys.path[:] = [path for path in sys.path if path != own] + [own]
