"""The try-out's suite: programs written for CUDA, on a device of Python's."""

import os

# two devices, as the double has
os.environ["TORCHADA_TRYOUT_DEVICES"] = "2"
