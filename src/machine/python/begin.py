# What comes before each script that a Python is asked with. Only `answer` reaches the program: what modules print while
# they are imported goes to standard error. `-I` keeps the current folder out of the places of modules, and PYTHONPATH
# and the user's own packages with it, which come back here.
import json
import os
import site
import sys

_pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def answer(value):
    json.dump(value, _pipe)
    _pipe.flush()


for _place in reversed(os.environ.get("PYTHONPATH", "").split(os.pathsep)):
    if os.path.isabs(_place):
        sys.path.insert(0, _place)
if sys.prefix == sys.base_prefix and not os.environ.get("PYTHONNOUSERSITE"):
    site.addsitedir(site.getusersitepackages())
