"""Archives of traces are read as they are: the same results as those of the folder in them."""
import os
import subprocess
import sys
import tarfile
import unittest
import zipfile

from case import Case, HEARTH


class Archive(Case):
    def pack(self, name, mode, folders=('w',)):
        with tarfile.open(self.path(name), mode) as tar:
            for folder in folders:
                tar.add(self.path(folder), './deep/' + folder)
        return self.path(name)

    def same_results(self, workload, out):
        self.run_ok(workload, out=out)
        for name in ('kernels.csv', 'stats.txt'):
            self.assertEqual(self.text(out, name), self.text('folder', name), workload)

    def test_all_kinds(self):
        self.run_ok(self.workload(), out='folder')
        for name, mode in (('w.tar', 'w'), ('w.tgz', 'w:gz'), ('w.tar.xz', 'w:xz'), ('w.tbz', 'w:bz2')):
            self.same_results(self.pack(name, mode), 'of-' + name)
        with zipfile.ZipFile(self.path('w.zip'), 'w', zipfile.ZIP_DEFLATED) as archive:
            for name in os.listdir(self.path('w')):
                archive.write(self.path('w', name), name)
        self.same_results(self.path('w.zip'), 'of-zip')

    def test_several_lists(self):
        """One is named by its folder; members that are compressed are found."""
        self.run_ok(self.workload(), out='folder')
        self.workload('v', ids=(7,))
        both = self.pack('both.tgz', 'w:gz', ('w', 'v'))
        self.fails(3, 'several lists, deep/v/kernelslist.g and deep/w/kernelslist.g among them', 'run', both)
        self.same_results(both + '/deep/w', 'of-w')
        self.same_results(both + '/deep/w/kernelslist.g', 'of-list')
        self.assertEqual([row['launch'] for row in self.run_ok(both + '/deep/v', out='of-v')], ['7'])
        self.fails(3, 'neither kernelslist.g nor kernelslist in deep/u', 'run', both + '/deep/u')

    def test_whole_chain(self):
        """Commands that read launches more than once: from sampling to a warmed run; --resume; conversion."""
        self.run_ok(self.workload(), out='folder')
        archive = self.pack('w.tar.xz', 'w:xz')
        self.hearth('sample', archive, '--method', 'first-n', '-q', '-o', self.path('s.plan'))
        self.hearth('warm', self.path('s.plan'), '--warm', 'functional:1', '-q', '-o', self.path('w.plan'))
        rows = self.run_ok(self.path('w.plan'), out='warmed')
        self.assertEqual([row['launch'] for row in rows if row['role'] == 'measure'], ['1', '2', '5'])
        self.run_ok(archive, '--jobs', '2', '--warm', 'functional:1', out='jobs')
        self.assertIn('complete', self.hearth('run', archive, '--jobs', '2', '--warm', 'functional:1', '--resume', '-o',
                                              self.path('jobs')).stderr)
        self.hearth('trace', 'convert', archive, '-q', '-o', self.path('w.packed'))
        self.assertEqual(self.run_ok(self.path('w.packed'), out='packed'), self.rows('folder'))
        self.assertIn(' 0 errors', self.hearth('trace', 'verify', archive).stdout)

    def test_packed_workloads(self):
        """An archive that holds only those: one is read, of several one is named."""
        for name in ('w', 'v'):
            self.hearth('trace', 'convert', self.workload(name), '-q', '-o', self.path(name + '.packed'))
        self.run_ok(self.path('w.packed'), out='folder')
        for name, mode in (('w.tar', 'w'), ('w.tgz', 'w:gz')):
            self.same_results(self.pack(name, mode, ('w.packed',)), 'of-' + name)
        with zipfile.ZipFile(self.path('w.zip'), 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.path('v.packed'), 'v.packed')
        self.same_results(self.path('w.zip'), 'of-zip')
        both = self.pack('both.tgz', 'w:gz', ('w.packed', 'v.packed'))
        self.fails(3, 'several packed workloads, deep/v.packed and deep/w.packed among them: name one', 'run', both)
        self.same_results(both + '/deep/w.packed', 'of-w')
        self.fails(3, 'in deep/u.packed, and no packed workload', 'run', both + '/deep/u.packed')
        self.assertIn(' 0 errors', self.hearth('trace', 'verify', both + '/deep/v.packed').stdout)
        self.hearth('trace', 'convert', self.path('w.tar'), '--to', 'packed', '-q', '-o', self.path('again.packed'))
        with open(self.path('w.packed'), 'rb') as old, open(self.path('again.packed'), 'rb') as new:
            self.assertEqual(old.read(), new.read())
        self.hearth('sample', both + '/deep/v.packed', '--method', 'first-n', '-q', '-o', self.path('s.plan'))
        self.run_ok(self.path('s.plan'), '--jobs', '2', '--warm', 'checkpoint', out='warmed')
        self.run_ok(self.path('w.packed'), '--jobs', '2', '--warm', 'checkpoint', out='alike')
        self.assertEqual([row['cycles'] for row in self.rows('warmed')][-3:], [row['cycles'] for row in self.rows('alike')][-3:])

    def test_packed_and_damaged(self):
        """What is cut off, and a list besides, which counts."""
        self.run_ok(self.workload(), out='folder')
        self.hearth('trace', 'convert', self.workload('v', ids=(7,)), '-q', '-o', self.path('v.packed'))
        self.same_results(self.pack('both.tar', 'w', ('w', 'v.packed')), 'of-both')
        with open(self.path('v.packed'), 'rb') as file:
            whole = file.read()
        for size in (len(whole) - 1, len(whole) // 2, 12, 8):
            self.write('v.packed', whole[:size])
            alone = subprocess.run([HEARTH, 'run', self.path('v.packed'), '-q', '-o', self.path('alone')], check=False)
            self.hearth('run', self.pack('cut.tar', 'w', ('v.packed', 'w/kernel-1.traceg')), '-q', '-o', self.path('cut'),
                        code=alone.returncode)

    def test_same_name_twice(self):
        """The last one counts: tar appends changed files."""
        self.workload(ids=(7,))
        archive = self.pack('w.tar', 'w')
        self.run_ok(self.workload(), out='folder')
        with tarfile.open(archive, 'a') as tar:
            tar.add(self.path('w'), './deep/w')
        self.same_results(archive, 'of-tar')

    def test_sweep(self):
        self.hearth('trace', 'convert', self.workload(), '-q', '-o', self.path('w.packed'))
        both = self.pack('both.tgz', 'w:gz', ('w', 'w.packed'))
        spec = self.write('spec', 'workload a=%s/deep/w\nworkload b=%s/deep/w.packed\ncard rtx3070\n' % (both, both))
        self.hearth('sweep', spec, '-q', '-o', self.path('out'))
        rows = self.rows('out', 'jobs.csv')
        self.assertEqual([(row['workload'], row['status']) for row in rows], [('a', 'done'), ('b', 'done')])
        self.assertEqual(*(row['cycles'] for row in rows))

    def test_folders_with_slashes(self):
        self.run_ok(self.workload(), out='folder')
        self.workload('v')
        self.same_results(self.pack('both.tgz', 'w:gz', ('w', 'v')) + '/deep/w/', 'of-w')

    def test_damaged(self):
        self.workload()
        for name, mode in (('w.tar', 'w'), ('w.tgz', 'w:gz'), ('w.tar.xz', 'w:xz')):
            with open(self.pack(name, mode), 'rb') as file:
                whole = file.read()
            self.write('cut-' + name, whole[:len(whole) // 4])
            self.fails(3, 'cut-%s: ' % name, 'run', self.path('cut-' + name))
        os.remove(self.path('w', 'kernel-2.traceg'))
        self.fails(3, 'kernel-2.traceg: the archive does not have this file', 'run', self.pack('less.tar', 'w'), '-q', '-o',
                   self.path('less'))
        os.remove(self.path('w', 'kernelslist.g'))
        self.fails(3, 'the archive has neither kernelslist.g nor kernelslist', 'run', self.pack('none.tar', 'w'))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
