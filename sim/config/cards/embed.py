"""Writes option files as C arrays: embed.py OUTPUT NAME.config...

NAME.config becomes bundled_NAME, for the table of bundled.c. Arrays of
numbers, because a C string need not hold more than 4095 characters."""
import pathlib
import sys


def array(path):
    rows = [''.join(f"{byte}," for byte in line + b"\n")
            for line in path.read_bytes().splitlines()]
    return [f'static const char bundled_{path.stem}[] = {{', *rows, '0};']


def main():
    lines = ['/* Made by embed.py. */']
    for path in sys.argv[2:]:
        lines += array(pathlib.Path(path))
    pathlib.Path(sys.argv[1]).write_text('\n'.join(lines) + '\n', encoding='ascii')


main()
