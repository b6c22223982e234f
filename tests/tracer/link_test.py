#!/usr/bin/env python3
"""What the injected library depends on and shows: link_test.py NVCC LINK-ARGUMENTS...

Links a stand-in for NVBit's objects as the tool is linked. HEARTH_TRACER names the tool itself, if it was built."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

NVCC, *ARGUMENTS = sys.argv[1:]
SOURCE, TOOL = os.environ['HEARTH_SOURCE'], os.environ['HEARTH_TRACER']

STAND_IN = r"""
#include <cstdio>
#include <string>
#include <vector>
#include "tracer/tracer.h"
extern "C" int cuModuleLoadData(void **module, const void *image); // as in libnvbit.a
struct Nvbit { // what NVBit's objects have, too: names in C++ and in C that are theirs alone
    virtual ~Nvbit();
    static std::vector<Nvbit *> all;
};
Nvbit::~Nvbit() {}
std::vector<Nvbit *> Nvbit::all;
extern "C" { int toolsListNew; }
extern "C" void nvbit_at_init()
{
    error err = {};
    tracer_options options = {};
    std::vector<std::string> names(2, "name");
    names.push_back(std::to_string(tracer_options_read(&options, nullptr, &err)));
    tracer *made = tracer_create(&options, names.back().c_str(), &err);
    tracer_context(made, 1, &err);
    const tracer_cubin cubin = {};
    tracer_add_cubin(made, &cubin, &err);
    tracer_finish(made, &err);
    tracer_destroy(made);
    printf("%d", cuModuleLoadData(nullptr, nullptr));
}
"""


class Elf:
    """The dynamic section and symbols of a 64-bit little-endian ELF file."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        at, = struct.unpack_from('<Q', self.data, 40)
        size, count = struct.unpack_from('<HH', self.data, 58)
        self.sections = [struct.unpack_from('<IIQQQQIIQQ', self.data, at + i * size) for i in range(count)]

    def text(self, table, at):
        start = self.sections[table][4] + at
        return self.data[start:self.data.index(b'\0', start)].decode()

    def entries(self, kind, form):
        for section in self.sections:
            if section[1] == kind:
                for at in range(section[4], section[4] + section[5], struct.calcsize(form)):
                    yield section[6], struct.unpack_from(form, self.data, at)

    def needed(self):
        return [self.text(table, value) for table, (tag, value) in self.entries(6, '<qQ') if tag == 1]

    def shown(self):
        """Names that others can link with."""
        return [self.text(table, name) for table, (name, info, other, section, _, _) in self.entries(11, '<IBBHQQ')
                if section != 0 and info >> 4 in (1, 2, 10) and other & 3 == 0]


class LinkTest(unittest.TestCase):
    def check(self, path):
        elf = Elf(path)
        needed = elf.needed()
        self.assertIn('libcuda.so.1', needed)
        mine = {name.split('.so')[0] for name in needed}
        self.assertLessEqual(mine, {'libcuda', 'libzstd', 'libm', 'libc', 'ld-linux-x86-64', 'libpthread', 'libdl', 'librt'})
        shown = elf.shown()
        self.assertIn('nvbit_at_init', shown)
        self.assertEqual([name for name in shown if not name.startswith('nvbit_')], [])

    def test_stand_in(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, 'stand_in.cc'), os.path.join(folder, 'stand_in.so')
            with open(source, 'w', encoding='ascii') as file:
                file.write(STAND_IN)
            subprocess.run([NVCC, '-shared', '-Xcompiler', '-fPIC', '-I' + SOURCE, source, *ARGUMENTS, '-o', library],
                           check=True)
            self.check(library)

    @unittest.skipIf(TOOL == '', 'no release of NVBit')
    def test_tool(self):
        self.check(TOOL)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
