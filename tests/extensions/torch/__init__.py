__version__ = "2.7.1"


class version:
    cuda = None
    hip = None


class musa:
    @staticmethod
    def is_available():
        return False


class cuda:
    @staticmethod
    def is_available():
        return False
