#!/usr/bin/env python3
"""Makes seeds for fuzz_packed of traces, with the program's own writer.

usage: make_packed_seeds.py HEARTH TRACE... FOLDER

Of each trace: the packed file behind a byte 0, and its sections before
compression behind a byte 1 (needs the zstd program).
"""
import os
import subprocess
import sys
import tempfile


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def sections(data):
    """The four sections of the first group."""
    length, at = data[9], 10
    end = at + length + 8
    sizes = []
    _, at = number(data, at)
    for _ in range(4):
        packed, at = number(data, at)
        sizes.append(packed)
        if packed:
            _, at = number(data, at)
            at += 8
    out = b''
    for packed in sizes:
        raw = b''
        if packed:
            raw = subprocess.run(['zstd', '-dc'], input=data[end:end + packed], stdout=subprocess.PIPE,
                                 check=True).stdout
        out += len(raw).to_bytes(2, 'little') + raw
        end += packed
    return out


def main():
    hearth, traces, folder = sys.argv[1], sys.argv[2:-1], sys.argv[-1]
    for trace in traces:
        name = os.path.basename(trace).split('.')[0]
        with tempfile.TemporaryDirectory() as place:
            packed = os.path.join(place, 'packed')
            subprocess.run([hearth, 'trace', 'convert', trace, '-o', packed], check=True)
            data = open(packed, 'rb').read()
        for kind, seed in (('file', b'\0' + data), ('sections', b'\1' + sections(data))):
            with open(os.path.join(folder, f'{name}_{kind}'), 'wb') as file:
                file.write(seed)


if __name__ == '__main__':
    main()
