"""Commands for people who port: they are in the package that is installed, and in no port."""
