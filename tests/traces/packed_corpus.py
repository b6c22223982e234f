#!/usr/bin/env python3
"""Packs every set of real and generated traces and prints it again: text,
instruction counts, footprints and reuse must be the same.

usage: packed_corpus.py HEARTH COUNT FOLDER [--ratios]

FOLDER holds traces/ with archives; skips without one. --ratios packs as
densely as can be and compares the size with that of `xz -6` of the grouped
text, concatenated: the limits are 0.5 for the geometric mean of real sets and
1 for each set.
"""
import glob
import lzma
import math
import os
import subprocess
import sys
import tarfile
import tempfile

SKIP = 77


def lists(folder):
    """The lists of a set: grouped ones where there are any."""
    found = sorted(glob.glob(os.path.join(folder, '**', 'kernelslist*'), recursive=True))
    return [path for path in found if path.endswith('.g')] or found


def read(path):
    with (lzma.open if path.endswith('.xz') else open)(path, 'rb') as file:
        return file.read()


def hearth(program, *arguments):
    subprocess.run([program, 'trace', *arguments], check=True)


def text_of(folder):
    """{path: text} of the launches and the list in a folder."""
    names = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(name, folder): read(name) for name in names}


def counts(program, path):
    run = subprocess.run([program, path], capture_output=True, text=True, check=True)
    return [line for line in run.stdout.split('\n') if 'is read in place of' not in line]


def footprint(program, path, out):
    hearth(program, 'footprint', path, '-q', '-f', '-o', out + '.csv')
    return read(out + '.csv'), read(out + '.sources.csv')


def check_list(program, count, path, place, level):
    """Returns (what is wrong, packed bytes, text)."""
    packed, back, grouped = (os.path.join(place, name) for name in ('packed', 'back', 'grouped'))
    hearth(program, 'convert', path, '-o', packed, '--level', level)
    hearth(program, 'convert', packed, '-o', back)
    text = text_of(back)
    wrong = []
    if path.endswith('.g'):
        source = os.path.dirname(path)
        wrong = [name for name, data in text.items() if data != read(os.path.join(source, name))]
    else:
        hearth(program, 'group', path, '-o', grouped)
        wrong = [] if text == text_of(grouped) else ['what group makes']
    if counts(count, path) != counts(count, packed):
        wrong.append('counts')
    out = os.path.join(place, 'footprint')
    if footprint(program, path, out) != footprint(program, packed, out):
        wrong.append('footprints')
    return wrong, os.path.getsize(packed), b''.join(text[name] for name in sorted(text) if 'kernel-' in name)


def check_set(program, count, archive, ratios):
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(os.path.join(folder, 'set'))
        wrong, size, text = [], 0, b''
        for number, path in enumerate(lists(os.path.join(folder, 'set'))):
            place = os.path.join(folder, str(number))
            os.mkdir(place)
            found, packed, more = check_list(program, count, path, place, '19' if ratios else '1')
            wrong += found
            size += packed
            text += more
        return wrong, size / len(lzma.compress(text, preset=6)) if ratios else 0


def main():
    program, count = sys.argv[1:3]
    folder = sys.argv[3] or os.environ.get('HEARTH_CORPUS', '')
    ratios = '--ratios' in sys.argv
    archives = sorted(glob.glob(os.path.join(folder, 'traces', '*', '*.tar.xz'))) if folder else []
    if not archives:
        print('skipped: no corpus (meson option "corpus" or $HEARTH_CORPUS)')
        return SKIP
    bad, real = 0, []
    for archive in archives:
        wrong, ratio = check_set(program, count, archive, ratios)
        name = os.path.join(os.path.basename(os.path.dirname(archive)),
                            os.path.basename(archive).removesuffix('.tar.xz'))
        if ratios:
            print('%-34s %.3f' % (name, ratio))
            real += [ratio] * name.startswith('real')
        if wrong or ratio > 1:
            bad += 1
            print(f'{name}: differs: {", ".join(wrong)}' if wrong else f'{name}: larger than xz')
    if real:
        mean = math.exp(sum(map(math.log, real)) / len(real))
        print('geometric mean of real sets        %.3f' % mean)
        bad += mean > 0.5
    print(f'{len(archives)} sets, {bad} bad')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
