"""Writes bundled configurations as C: embed.py OUTPUT SYMBOL NAME.config...

NAME.config becomes an entry of the array SYMBOL, in the order of the arguments. Its head says
what `hearth config list` shows of it:

    # Card: what it is
    # Against hardware: how it compares with the hardware

The text is an array of numbers, because a C string need not hold more than 4095 characters."""
import pathlib
import re
import sys


def head(text, path, what):
    found = re.search(rf'^# {what}: ([ -~]+)$', text, re.M)
    if found is None:
        sys.exit(f'{path}: its head has no line "# {what}: ..."')
    return '"%s"' % re.sub(r'([\\"])', r'\\\1', found[1])


def main():
    lines, entries = ['/* Made by embed.py. */', '#include "sim/config.h"'], []
    for path in map(pathlib.Path, sys.argv[3:]):
        name, text = path.stem, path.read_text(encoding='ascii')
        numbers = (''.join(f'{byte},' for byte in line.encode()) for line in text.splitlines(True))
        lines += [f'static const char {name}[] = {{', *numbers, '0};']
        entries.append(f'{{"{name}", {head(text, path, "Card")}, '
                       f'{head(text, path, "Against hardware")}, {name}, sizeof {name} - 1}},')
    lines += [f'extern const struct sim_bundled_config {sys.argv[2]}[];',
              f'const struct sim_bundled_config {sys.argv[2]}[] = {{', *entries, '{.name = NULL},', '};']
    pathlib.Path(sys.argv[1]).write_text('\n'.join(lines) + '\n', encoding='ascii')


main()
