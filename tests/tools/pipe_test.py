"""Tests of workloads that come out of pipes, which are read where once is enough and refused otherwise, and of what
is no file at all.

usage: pipe_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import os
import shutil
import socket
import sys
import threading
import unittest

from case import Case, kernel_text


class Pipes(Case):
    def feed(self, source, name='pipe'):
        """A named pipe into which another thread writes SOURCE."""
        pipe = self.path(name)
        os.mkfifo(pipe)

        def write():
            try:
                with open(pipe, 'wb') as to, open(source, 'rb') as data:
                    shutil.copyfileobj(data, to)
            except BrokenPipeError:
                pass

        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 10)
        return pipe

    def trace_file(self):
        return self.write('kernel-1.traceg', kernel_text('k', 1))

    def packed(self):
        self.hearth('trace', 'convert', self.workload(), '-o', self.path('w.packed'))
        return self.path('w.packed')

    def test_run(self):
        file = self.trace_file()
        expected = self.run_ok(file, out='a')
        self.assertEqual(self.run_ok(self.feed(file), out='b'), expected)

    def test_anonymous(self):
        done = self.trace('verify', '/dev/stdin', stdin=kernel_text('k', 1).encode())
        self.assertIn(b'1 launches', done.stdout)
        self.assertIn(b' 0 errors', done.stdout)

    def test_verify(self):
        done = self.hearth('trace', 'verify', self.feed(self.trace_file()))
        self.assertIn('1 launches', done.stdout)
        self.assertIn(' 0 errors', done.stdout)

    def test_convert(self):
        self.hearth('trace', 'convert', self.feed(self.trace_file()), '-o', self.path('packed'))
        self.assertIn(' 0 errors', self.hearth('trace', 'verify', self.path('packed')).stdout)

    def test_list(self):
        """A list is read once; its names count from the folder of the pipe."""
        folder = self.workload()
        expected = self.run_ok(folder, out='a')
        pipe = self.feed(os.path.join(folder, 'kernelslist.g'), 'w/pipe')
        self.assertEqual(self.run_ok(pipe, out='b'), expected)

    def test_packed(self):
        pipe = self.feed(self.packed())
        self.fails(3, 'pipe: a packed workload cannot be read from a pipe', 'run', pipe)

    def test_listed(self):
        self.write('l/kernelslist.g', 'kernel-1.traceg\n')
        os.mkfifo(self.path('l/kernel-1.traceg'))
        message = 'l/kernel-1.traceg: a file is expected, this is a pipe, which can be read only once'
        self.assertIn(message, self.hearth('run', self.path('l'), code=3).stderr)
        self.fails(3, message, 'trace', 'convert', self.path('l'), '-o', self.path('x'))
        self.assertIn(message, self.hearth('trace', 'verify', self.path('l'), code=3).stdout)

    def test_nobody_writes(self):
        os.mkfifo(self.path('pipe'))
        self.fails(3, 'pipe: nobody writes to this pipe', 'run', self.path('pipe'))


class NoFiles(Case):
    def test_kinds(self):
        os.symlink('nowhere', self.path('link'))
        os.mkdir(self.path('l'))
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(self.path('socket'))
        for name, message in ((self.path('link'), 'link: cannot open: No such file'),
                              (self.path('socket'), 'socket: a file is expected, this is a socket'),
                              (self.path('l'), 'l: the folder has neither kernelslist.g'),
                              ('/dev/zero', '/dev/zero: a file is expected, this is a device')):
            self.fails(3, message, 'run', name)
            self.assertIn(message, self.hearth('trace', 'verify', name, code=3).stdout)

    def test_listed_folder(self):
        self.write('l/kernelslist.g', 'kernel-1.traceg\n')
        os.mkdir(self.path('l/kernel-1.traceg'))
        done = self.hearth('run', self.path('l'), code=3)
        self.assertIn('kernel-1.traceg: a file is expected, this is a folder', done.stderr)

    def test_no_reader(self):
        path = self.write('binary', b'\x7fELF\0\0\0')
        self.fails(3, 'binary: no reader recognises this file as compressed, ', 'run', path)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
