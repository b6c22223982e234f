"""Tests that no command writes over what it reads, and of where outputs may go.

usage: overwrite_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import os
import shutil
import sys
import unittest

from case import Case, kernel_text

READ = 'this file is also read: the output needs another name'


class Overwrite(Case):
    """Each as itself, by a link, and by a link of the file system, all with --force."""

    def setUp(self):
        super().setUp()
        self.workload()
        self.hearth('trace', 'profile', 'w', '-o', 'p.csv', '-q')
        self.hearth('run', 'w', '-o', 'r', '-q')
        self.hearth('trace', 'convert', 'w', '-o', 'w.packed')
        self.hearth('warm', 'w', '--warm', 'full', '-o', 'a.plan', '-q')
        self.write('small.config', '-gpgpu_n_clusters 4\n')

    def contents(self):
        found = {}
        for place, folders, names in os.walk(self.place):
            for name in names:
                path = os.path.join(place, name)
                with open(path, 'rb') as f:
                    found[path] = f.read()
        return found

    def spared(self, output, *arguments):
        """The command must not write OUTPUT, which it reads, under any name."""
        os.symlink(self.path(output), self.path('link'))
        os.link(self.path(output), self.path('hard'))
        before = self.contents()
        for name in (output, 'link', 'hard', './x/../' + output):
            os.makedirs(self.path('x'), exist_ok=True)
            self.fails(2, '%s: %s' % (name, READ), *arguments, '-o', name)
        self.assertEqual(self.contents(), before)
        os.rmdir(self.path('x'))
        os.unlink(self.path('link'))
        os.unlink(self.path('hard'))

    def test_sample(self):
        given = ('sample', 'p.csv', '--method', 'first-n', '-f', '-q')
        self.spared('p.csv', *given)
        self.spared('p.bbv.csv', *given)
        self.spared('p.csv', *given, '--evaluate')
        for read in ('w.packed', 'w/kernelslist.g', 'w/kernel-2.traceg'):
            self.spared(read, *given, '--workload', read)
        self.spared('w/kernel-2.traceg', *given, '--workload', 'w')
        self.spared('w/kernelslist.g', 'sample', 'w', '--method', 'first-n', '-f', '-q')
        self.spared('r/kernels.csv', *given, '--cycles', 'r')
        self.spared('r/kernels.csv', *given, '--cycles', 'r/kernels.csv')
        self.fails(2, 'p.csv: ' + READ, *given, '-o', 'x.plan', '--strata', 'p.csv')
        self.fails(2, 'p.csv: ' + READ, *given, '-o', 'x.plan', '--trace-list', 'p.csv')
        shutil.copy(self.path('p.csv'), self.path('q.csv'))
        self.spared('q.csv', 'sample', 'p.csv', 'q.csv', '--evaluate', '--method', 'first-n', '-f')

    def test_temporary_names(self):
        """What an output is called until it is complete is a file, too."""
        os.rename(self.path('w.packed'), self.path('out.csv.part'))
        before = self.contents()
        self.fails(2, 'out.csv.part: ' + READ, 'trace', 'convert', 'out.csv.part', '-o', 'out.csv', '--to', 'packed')
        self.fails(2, 'out.csv.part: ' + READ, 'trace', 'footprint', 'out.csv.part', '-o', 'out.csv', '-q')
        os.rename(self.path('a.plan'), self.path('b.plan.part'))
        self.fails(2, 'b.plan.part: ' + READ, 'warm', 'b.plan.part', '--warm', 'none', '-o', 'b.plan')
        self.assertEqual(sorted(before), sorted(p.replace('b.plan.part', 'a.plan') for p in self.contents()))

    def test_warm(self):
        for read in ('a.plan', 'w/kernelslist.g', 'w/kernel-1.traceg'):
            self.spared(read, 'warm', 'a.plan', '--warm', 'none', '-f')
        self.spared('w.packed', 'warm', 'w.packed', '--warm', 'none', '-f')
        self.spared('small.config', 'warm', 'w', '--warm', 'none', '-f', '-c', 'small.config')
        self.spared('small.config', 'warm', 'w', '--warm', 'nsl', '-f', '--variant', 'small.config')
        self.hearth('warm', 'w', '--warm', 'none', '-o', 'w/a.plan', '-q')     # beside the traces is a place for it
        self.hearth('warm', 'w', '--warm', 'full', '-o', 'w/a.plan', '-q', '-f')

    def test_traces(self):
        self.spared('p.csv', 'trace', 'profile', 'p.csv', '-f')
        self.spared('r/kernels.csv', 'trace', 'profile', 'w', '-f', '--cycles', 'r')
        self.spared('w/kernel-3.traceg', 'trace', 'profile', 'w', '-f', '-q')
        self.spared('w/kernelslist.g', 'trace', 'footprint', 'w', '-f', '-q')
        self.write('a.sass', 'Function : k1\n/*0000*/ EXIT ; /* 0x0 */\n/* 0x0 */\n')
        self.spared('a.sass', 'trace', 'annotate', 'w.packed', '--code', 'a.sass', '-f')
        for command in (('convert',), ('cut', '--launches', '2'), ('group',), ('memonly',),
                        ('annotate', '--code', 'a.sass')):
            for source, read in (('w.packed', 'w.packed'), ('w', 'w/kernelslist.g'), ('w', 'w/kernel-1.traceg')):
                self.spared(read, 'trace', *command, source, '--to', 'packed', '-f')

    def test_folders_of_traces(self):
        before = self.contents()
        self.fails(2, 'w/kernelslist.g: ' + READ, 'trace', 'cut', 'w', '-o', 'w', '-f', '--launches', '2')
        self.write('w/some.g', 'kernel-2.traceg\n')
        os.unlink(self.path('w/kernelslist.g'))
        self.fails(2, 'w/kernel-2.traceg: ' + READ, 'trace', 'group', 'w/some.g', '-o', 'w')
        self.assertEqual(self.text('w/kernel-2.traceg').encode(), before[self.path('w/kernel-2.traceg')])
        self.assertEqual(sorted(os.listdir(self.path('w'))), ['kernel-1.traceg', 'kernel-2.traceg', 'kernel-3.traceg', 'some.g'])

    def test_run(self):
        before = self.contents()
        self.fails(2, 'r/plan.out: ' + READ, 'run', 'r/plan.out', '-o', 'r', '-q')
        self.fails(2, 'r/config.out: ' + READ, 'run', 'w', '-c', 'r/config.out', '-o', 'r', '-q')
        for name in ('w/kernelslist.g', 'w/kernel-1.traceg', 'test.plan'):
            plan = self.write('test.plan', '!plan 1\n!workload path=w\nkernel-1.traceg\n!save file=%s\n' % name)
            self.fails(2, 'test.plan:4: !save: %s: %s' % (self.path(name), READ), 'run', plan, '-o', 's', '-q')
        os.unlink(self.path('test.plan'))
        self.assertEqual(self.contents(), before)
        self.hearth('run', 'r/plan.out', '-c', 'r/config.out', '-o', 'again', '-q')
        self.hearth('run', 'w', '-o', 'r', '-q')

    def test_states(self):
        """Those that a plan restores are read, unless it saves them itself."""
        text = '!plan 1\n!workload path=w\n!segment name=x\n'
        self.hearth('run', self.write('save.plan', text + 'kernel-1.traceg\n!save file=one.l2\n'), '-o', 's', '-q')
        os.rename(self.path('one.l2'), self.path('r/kernels.csv'))
        plan = self.write('test.plan', text + '!restore file=r/kernels.csv\nkernel-2.traceg\n')
        before = self.contents()
        self.fails(2, 'r/kernels.csv: ' + READ, 'run', plan, '-o', 'r', '-q')
        self.assertEqual(self.contents(), before)
        plan = self.write('test.plan', text + 'kernel-1.traceg\n!save file=s/one.l2\n!segment name=y\n'
                          '!restore file=s/one.l2\nkernel-2.traceg\n')
        for output in ('s', 's'):
            self.hearth('run', plan, '-o', output, '-q')

    def test_study(self):
        for name in ('s/launches.csv', 'n.csv'):
            self.write(name, 'launch,kernel,warp_insts,cycles\n1,a,10,5\n')
        before = self.text('s/launches.csv')
        self.fails(2, 's/launches.csv: ' + READ, 'study', 'cold-start', '--profiles', 's/launches.csv', 'n.csv', '-o', 's')
        self.assertEqual(self.text('s/launches.csv'), before)


class Places(Case):
    """A folder that is an output is made with those above it; a file needs its folder."""

    def setUp(self):
        super().setUp()
        self.workload()

    def test_files(self):
        self.hearth('trace', 'profile', 'w', '-o', 'p.csv', '-q')
        plan = self.write('w/test.plan', '!plan 1\nkernel-1.traceg\n!save file=no/where/x.l2\nkernel-2.traceg\n')
        for output, arguments in (('no/where/p.csv', ('trace', 'profile', 'w', '-o')),
                                  ('no/where/f.csv', ('trace', 'footprint', 'w', '-q', '-o')),
                                  ('no/where/w.packed', ('trace', 'convert', 'w', '-o')),
                                  ('no/where/a.plan', ('warm', 'w', '--warm', 'checkpoint', '-o')),
                                  ('no/where/a.plan', ('sample', 'p.csv', '-q', '--method', 'first-n', '-o'))):
            self.fails(4, '%s: cannot write: No such file or directory' % output, *arguments, output)
        self.fails(4, 'test.plan:3: !save: %s: cannot write: No such file or directory' % self.path('w/no/where/x.l2'),
                   'run', plan, '-q', '-o', 'out')
        self.assertEqual(sorted(os.listdir(self.place)), ['p.bbv.csv', 'p.blocks.csv', 'p.csv', 'w'])
        self.assertNotIn('no', os.listdir(self.path('w')))
        os.makedirs(self.path('w/no/where'))
        self.hearth('run', plan, '-q', '-o', 'out')
        self.assertEqual(os.listdir(self.path('w/no/where')), ['x.l2'])

    def test_folders(self):
        self.hearth('run', 'w', '-q', '-o', 'a/b/out')
        self.hearth('trace', 'cut', 'w', '-o', 'c/d/w', '--to', 'text', '--launches', '1')
        self.hearth('run', 'w', '--warm', 'checkpoint', '-q', '-o', 'e/f/out')
        self.hearth('run', 'w', '--warm', 'nsl', '-q', '-o', 'g/h/out')
        self.assertEqual(sorted(os.listdir(self.path('e/f/out.states'))), ['launch-%d.l2' % n for n in (2, 3)])
        self.hearth('warm', 'w', '--warm', 'checkpoint', '-o', 'a.plan', '-q')
        self.assertEqual(os.listdir(self.path('a.plan.states')), [])
        self.hearth('run', 'a.plan', '-q', '-o', 'out')
        self.assertEqual(len(os.listdir(self.path('a.plan.states'))), 2)


class States(Case):
    """A plan from a stranger saves states in its own folder, and replaces nothing but states."""

    def setUp(self):
        super().setUp()
        self.workload()
        os.mkdir(self.path('elsewhere'))
        os.symlink('../elsewhere', self.path('w/link'))
        self.write('victim', 'mine\n')
        self.write('w/victim', 'mine\n')
        os.symlink('../victim', self.path('w/victim.l2'))

    def plan(self, name):
        return self.write('w/test.plan', '!plan 1\nkernel-1.traceg\n!save file=%s\nkernel-2.traceg\n' % name)

    def test_outside(self):
        for name in ('../victim', '../new.l2', self.path('new.l2'), 'link/new.l2', 'victim.l2', 'no/../../new.l2',
                     '../w.l2'):
            self.fails(2, 'only --allow-outside permits that', 'run', self.plan(name), '-q', '-o', 'out')
            self.assertEqual(sorted(os.listdir(self.place)), ['elsewhere', 'victim', 'w'])
            self.assertEqual((self.text('victim'), os.listdir(self.path('elsewhere'))), ('mine\n', []))
        for name in ('../new.l2', 'link/new.l2'):
            self.hearth('run', self.plan(name), '--allow-outside', '-q', '-o', 'out')
        self.assertTrue(os.path.exists(self.path('new.l2')) and os.path.exists(self.path('elsewhere/new.l2')))

    def state(self, name):
        self.hearth('run', self.plan('one.l2'), '-q', '-o', 'out')
        shutil.rmtree(self.path('out'))
        os.rename(self.path('w/one.l2'), self.path(name))

    def test_restored_outside(self):
        self.state('elsewhere/one.l2')
        os.symlink('../elsewhere/one.l2', self.path('w/one.l2'))
        text = '!plan 1\nkernel-1.traceg\n!segment name=a\n!restore file=%s\nkernel-2.traceg\n'
        for name in ('../elsewhere/one.l2', self.path('elsewhere/one.l2'), 'link/one.l2', 'one.l2', '../victim'):
            plan = self.write('w/test.plan', text % name)
            self.fails(2, 'test.plan:4: !restore: ', 'run', plan, '-q', '-o', 'out')
            self.fails(2, 'only --allow-outside permits that', 'run', plan, '-q', '-o', 'out')
            if name != '../victim':
                self.hearth('run', plan, '--allow-outside', '-q', '-o', 'o')
        self.assertFalse(os.path.exists(self.path('out')))

    def test_workload_outside(self):
        """Whoever knows its digest has it."""
        digest = self.hearth('sample', 'w', '--method', 'first-n', '-q', '-o', '-').stdout.split('digest=')[1][:16]
        os.symlink('../w', self.path('elsewhere/w'))
        text = '!plan 1\n!workload path=%s\nkernel-2.traceg\n'
        for name in ('../w', self.path('w'), '../w/kernelslist.g', 'w', '/etc/passwd'):
            plan = self.write('elsewhere/test.plan', text % name)
            for command in (('run', plan, '-q', '-o', 'out'), ('warm', plan, '--warm', 'none', '-q', '-f', '-o', 'out.plan')):
                self.fails(2, 'test.plan:2: !workload: ', *command)
                self.fails(2, 'only --allow-outside permits that', *command)
                if name != '/etc/passwd':
                    self.hearth(*command, '--allow-outside')
            shutil.rmtree(self.path('out'), ignore_errors=True)
            if name != '/etc/passwd':
                self.hearth('run', self.write('elsewhere/test.plan', text % (name + ' digest=' + digest)), '-q', '-o', 'out')
                shutil.rmtree(self.path('out'))
        for name in ('.', 'kernelslist.g', self.path('w')):
            self.hearth('run', self.write('w/test.plan', text % name), '-q', '-o', 'out')

    def test_launches_outside(self):
        """A name begins with "kernel", but may be a path."""
        shutil.copy(self.path('w/kernel-1.traceg'), self.path('elsewhere/kernel-7.traceg'))
        for name in ('w/kernels', 'v/kernels'):
            os.makedirs(self.path(name))
        name = 'kernels/../../elsewhere/kernel-7.traceg'
        plan = self.write('w/test.plan', '!plan 1\nkernel-1.traceg\n%s\n' % name)
        self.fails(2, 'test.plan:3: %s: is outside of the workload' % name, 'run', plan, '-q', '-o', 'out')
        self.hearth('run', plan, '--allow-outside', '-q', '-o', 'out')
        self.write('v/kernelslist.g', name + '\n')     # no plan
        self.hearth('run', 'v', '-q', '-o', 'out')
        self.hearth('run', 'out/plan.out', '-q', '-o', 'again')

    def test_inside(self):
        os.mkdir(self.path('w/states'))
        for name in ('a.l2', 'states/a.l2', 'states/../b.l2', self.path('w/c.l2')):
            for _ in range(2):      # a state is replaced
                self.hearth('run', self.plan(name), '-q', '-o', 'out')
        self.hearth('run', 'w/test.plan', '-q', '-o', 'out')

    def test_what_is_no_state(self):
        for name in ('victim', '../victim'):
            self.fails(4, 'victim: this file is not a state of L2: it is not replaced', 'run', self.plan(name),
                       '--allow-outside', '-q', '-o', 'out')
        self.assertEqual((self.text('victim'), self.text('w/victim')), ('mine\n', 'mine\n'))

    def test_states_of_a_policy(self):
        """Their folder follows from the command line; other files in it stay."""
        os.mkdir(self.path('out.states'))
        self.write('out.states/launch-2.l2', 'mine\n')
        said = 'launch-2.l2: this file is not a state of L2: it is not replaced'
        for policy in ('checkpoint', 'nsl'):
            self.fails(4, said, 'run', 'w', '--warm', policy, '-q', '-o', 'out')
        self.assertEqual(self.text('out.states/launch-2.l2'), 'mine\n')
        self.hearth('run', 'w', '--warm', 'checkpoint', '-q', '-o', 'free')
        self.fails(2, 'only --allow-outside permits that', 'run', 'free/plan.out', '-q', '-o', 'again')
        self.hearth('run', 'free/plan.out', '--allow-outside', '-q', '-o', 'again')


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
