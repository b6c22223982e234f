"""Writes a text file as C: embed.py OUTPUT SYMBOL INPUT. As numbers, because a C string need not hold more than 4095
characters."""
import pathlib
import sys

output, symbol, source = sys.argv[1:]
lines = pathlib.Path(source).read_text(encoding='ascii').splitlines(True)
numbers = '\n'.join(''.join(f'{byte},' for byte in line.encode()) for line in lines)
pathlib.Path(output).write_text(f'/* Made by embed.py. */\n#include "tools/run/activity/energies.h"\n'
                                f'const char {symbol}[] = {{\n{numbers}\n0}};\n', encoding='ascii')
