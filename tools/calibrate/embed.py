"""Writes a file as C: embed.py OUTPUT FILE SYMBOL makes SYMBOL_data and SYMBOL_size.

An array of numbers, which every compiler of C17 takes."""
import sys


def main():
    output, path, symbol = sys.argv[1:]
    with open(path, 'rb') as f:
        data = f.read()
    with open(output, 'w') as f:
        f.write('#include <stddef.h>\n\nextern const unsigned char %s_data[];\nextern const size_t %s_size;\n\n'
                'const unsigned char %s_data[] = {\n' % (symbol, symbol, symbol))
        for at in range(0, len(data), 24):
            f.write(''.join('%d,' % byte for byte in data[at:at + 24]) + '\n')
        f.write('};\nconst size_t %s_size = sizeof %s_data;\n' % (symbol, symbol))


if __name__ == '__main__':
    main()
