def parse(text):
    return tuple(int(part) for part in text.split("."))


Version = parse
