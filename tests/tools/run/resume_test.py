"""Tests of runs that are killed and resumed: nothing is lost, repeated or different.

usage: resume_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import filecmp
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from case import Case, FILES, HEADER, HEARTH, SAME, application


class Resume(Case):
    @classmethod
    def setUpClass(cls):
        """One application for all tests, and what uninterrupted runs of it give."""
        cls.base = tempfile.mkdtemp(prefix='hearth-resume-')
        cls.addClassCleanup(shutil.rmtree, cls.base)
        app = os.path.join(cls.base, 'w')
        lines = application(app)
        kernels = [line for line in lines if line.startswith('kernel')]
        cls.list, cls.plan = os.path.join(app, 'long.g'), os.path.join(app, 'a.plan')
        with open(cls.list, 'w') as f:
            f.write('\n'.join(lines + kernels[:3]) + '\n')
        with open(cls.plan, 'w') as f:
            f.write('\n'.join(['!plan 1'] + kernels[:4] + ['!segment name=b'] + lines[:7] +
                              ['!flush level=all dirty=write'] + kernels[5:9] + ['!segment name=c'] + kernels[8:] +
                              ['!segment name=d'] + kernels[1:4]) + '\n')
        cls.seconds, cls.made = {}, {}

    def whole(self, *arguments):
        """Makes sure of what the run gives uninterrupted, in the folder that equal() compares with."""
        if arguments not in self.made:
            self.made[arguments] = os.path.join(self.base, 'whole%d' % len(self.made))
            began = time.monotonic()
            self.hearth('run', *arguments, '--threads', '1', '-q', '-o', self.made[arguments])
            self.seconds[arguments] = time.monotonic() - began
        self.expected = self.made[arguments]

    def start(self, *arguments):
        """A run; tests give it the time it has."""
        process = subprocess.Popen([HEARTH, 'run', *arguments, '--threads', '1', '-q', '-o', self.path('out')])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def journal(self, process):
        return self.path('out.part-%d' % process.pid, 'journal')

    def rows_in(self, path):
        try:
            with open(path) as f:
                return [line.split()[1] for line in f if line.startswith('row ')]
        except FileNotFoundError:
            return []

    def interrupt(self, *arguments, rows=5, number=signal.SIGKILL):
        """A run that ends by signal NUMBER after about ROWS launches. Returns its journal's path."""
        process = self.start(*arguments)
        deadline = time.monotonic() + 60
        while len(self.rows_in(self.journal(process))) < rows and process.poll() is None:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)
        process.send_signal(number)
        self.assertEqual(process.wait(), -number if number == signal.SIGKILL else 128 + number)
        self.assertGreaterEqual(len(self.rows_in(self.journal(process))), rows)
        return self.journal(process)

    def equal_files(self):
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('out'), SAME, shallow=False), (SAME, [], []))
        self.assertEqual(sorted(os.listdir(self.path('out'))), FILES)

    def equal(self):
        self.equal_files()
        self.assertEqual(self.leftovers(), [])

    def resumed(self):
        return self.json('run.json')['resumed_launches']

    def kill_at_random(self, *arguments):
        self.whole(arguments[0])
        length = self.seconds[arguments[0],]
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        with self.subTest(seed=seed):
            for _ in range(6):
                process = self.start(*arguments, '--resume')
                time.sleep(chance.uniform(0, 0.7 * length))
                process.kill()
                process.wait()
                if os.path.exists(self.path('out')):    # moved there at once, however the process ended
                    self.equal_files()
                else:
                    self.assertNotEqual(process.returncode, 0)
            self.run_ok(*arguments, '--resume', '--threads', '2')
            self.equal()

    def test_state_that_was_not_written(self):
        """The launches of its segment are finished, but the !save at its end is not."""
        self.workload('full')
        plan = self.write('full/a.plan', '!plan 1\nkernel-1.traceg\n!save file=one.l2\n!segment name=b\n'
                          '!restore file=one.l2\nkernel-2.traceg\n')
        whole = self.run_ok(plan, out='whole')
        os.unlink(self.path('full/one.l2'))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        done = subprocess.run([HEARTH, 'run', plan, '-q', '-o', self.path('part')], capture_output=True, text=True,
                              preexec_fn=limit)
        self.assertEqual(done.returncode, 4)
        self.assertIn('one.l2: the state of L2 could not be written', done.stderr)
        self.assertEqual(self.run_ok(plan, '--resume', out='part'), whole)

    def test_killed_at_random_times(self):
        self.kill_at_random(self.list, '--checkpoint', '0')

    def test_killed_without_a_state(self):
        self.kill_at_random(self.list)

    def test_killed_with_jobs(self):
        self.kill_at_random(self.plan, '--jobs', '3', '--checkpoint', '0')

    def test_segments_that_are_done_are_not_simulated(self):
        self.whole(self.plan)
        self.interrupt(self.plan, rows=17)
        self.run_ok(self.plan, '--resume', '--threads', '1')
        self.equal()
        self.assertIn(self.resumed(), range(4, 18))     # those of whole segments

    def test_states_are_used(self):
        self.whole(self.list)
        journal = self.interrupt(self.list, '--checkpoint', '0', rows=10)
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(journal), 'state-1')))
        self.run_ok(self.list, '--resume', '--threads', '1')
        self.equal()
        self.assertGreater(self.resumed(), 0)
        self.assertEqual(self.json('run.json')['launches'], 15)

    def test_methods_that_compare_launches(self):
        """What such a method knows of launches that an earlier process has simulated is made again."""
        arguments = (self.list, '--intra', 'photon-online')
        self.whole(*arguments)
        self.assertIn('0', [row['simulated_blocks'] for row in self.rows(self.expected)])
        self.interrupt(*arguments, '--checkpoint', '0', rows=10)
        self.run_ok(*arguments, '--resume', '--threads', '1')
        self.equal()
        self.assertGreater(self.resumed(), 0)

    def test_states_take_half_of_the_time(self):
        """Of launches that take much less time than a state does, not each gets one."""
        self.workload()
        self.write('w/kernelslist.g', 'kernel-1.traceg\n' * 500)

        def seconds(*arguments):
            began = time.monotonic()
            self.run_ok(self.path('w'), '--threads', '1', *arguments)
            return time.monotonic() - began

        self.assertTrue(any(seconds('--checkpoint', '0') < 2 * seconds() + 1 for _ in range(3)))

    def test_every_end_of_a_journal(self):
        self.whole(self.list)
        journal = self.interrupt(self.list, '--checkpoint', '0', rows=7)
        with open(journal, 'rb') as f:
            text = f.read()
        saved = self.path('saved')
        shutil.copytree(os.path.dirname(journal), saved)
        shutil.rmtree(os.path.dirname(journal))
        ends = [10, text.index(b'\n') + 1, len(text) // 2, len(text) - 1]
        for bytes_left, flip in [(end, None) for end in ends] + [(len(text), len(text) // 3)]:
            shutil.rmtree(self.path('out'), ignore_errors=True)
            shutil.copytree(saved, os.path.dirname(journal))
            with open(journal, 'wb') as f:
                part = bytearray(text[:bytes_left])
                if flip is not None:
                    part[flip] ^= 1
                f.write(part)
            self.run_ok(self.list, '--resume', '--threads', '1')
            self.equal()
            self.assertLess(self.resumed(), 7)

    def test_a_damaged_state_is_not_used(self):
        self.whole(self.list)
        journal = self.interrupt(self.list, '--checkpoint', '0', rows=7)
        state = os.path.join(os.path.dirname(journal), 'state-1')
        with open(state, 'r+b') as f:
            f.seek(os.path.getsize(state) // 3)
            byte = f.read(1)[0]
            f.seek(-1, os.SEEK_CUR)
            f.write(bytes([byte ^ 16]))
        self.run_ok(self.list, '--resume', '--threads', '1')
        self.equal()
        self.assertEqual(self.resumed(), 0)

    def test_signals(self):
        self.whole(self.plan)
        for number in (signal.SIGTERM, signal.SIGINT):
            self.interrupt(self.plan, '--jobs', '2', '--checkpoint', '0', number=number)
            self.assertEqual(self.json('stats.json')['partial'], True)
            self.assertEqual(len(self.leftovers()), 1)
            self.run_ok(self.plan, '--resume', '--threads', '1')
            self.equal()
            self.assertGreater(self.resumed(), 0)
            shutil.rmtree(self.path('out'))

    def test_errors(self):
        """What is finished before an error is not simulated again."""
        kernel = os.path.join(self.base, 'w', 'kernel-4.traceg')
        good = self.text(kernel)
        self.addCleanup(self.write, kernel, good)
        self.whole(self.list)
        bad = good.replace('insts = ', 'insts =x', 1)
        self.assertEqual(len(bad), len(good))
        self.write(kernel, bad)
        done = self.hearth('run', self.list, '-o', self.path('out'), '--checkpoint', '0', code=3)
        self.assertRegex(done.stderr, r'note: the same command with --resume continues from here, with what .*\.part-\d+ keeps')
        self.write(kernel, good)
        self.run_ok(self.list, '--resume', '--threads', '1')
        self.equal()
        self.assertIn(self.resumed(), (1, 2, 3))

    def test_limits(self):
        arguments = (self.plan, '--set', 'gpgpu_max_cycle=100000')
        self.whole(*arguments)
        self.interrupt(*arguments, '--checkpoint', '0', rows=8)
        self.run_ok(*arguments, '--resume', '--threads', '1')
        self.equal()
        self.assertGreater(self.resumed(), 0)

    def test_intervals(self):
        arguments = (self.list, '--intervals', '700')
        self.whole(*arguments)
        self.interrupt(*arguments, '--checkpoint', '0', rows=6)
        self.fails(2, 'has another length of intervals', 'run', self.list, '--resume', '-o', self.path('out'))
        self.run_ok(*arguments, '--resume', '--threads', '1')
        names = SAME + ['intervals.csv']
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('out'), names, shallow=False), (names, [], []))
        self.assertGreater(self.resumed(), 0)
        self.fails(2, 'have another length of intervals', 'run', self.list, '--resume', '-o', self.path('out'))

    def test_cpi_stacks(self):
        arguments = (self.list, '--cpi-stack')
        self.whole(*arguments)
        self.interrupt(*arguments, '--checkpoint', '0', rows=6)
        self.run_ok(*arguments, '--resume', '--threads', '1')
        names = SAME + ['schedulers.csv']
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('out'), names, shallow=False), (names, [], []))
        self.assertGreater(self.resumed(), 0)

    def test_parts(self):
        arguments = (self.list, '--parts')
        self.whole(*arguments)
        self.interrupt(*arguments, '--checkpoint', '0', rows=6)
        self.run_ok(*arguments, '--resume', '--threads', '1')
        names = SAME + ['parts.csv']
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('out'), names, shallow=False), (names, [], []))
        self.assertGreater(self.resumed(), 0)

    def equal_corrections(self):
        names = SAME + ['correction.csv']
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('out'), names, shallow=False), (names, [], []))
        self.assertEqual(self.leftovers(), [])

    def test_corrections(self):
        """Corrections come of launches that an earlier process simulated as of others."""
        for kind in ('thesis', 'artifact'):
            arguments = (self.list, '--warm', 'correction:' + kind)
            self.whole(*arguments)
            self.interrupt(*arguments, '--checkpoint', '0', rows=6)
            self.run_ok(*arguments, '--resume', '--jobs', '2', '--threads', '1')
            self.equal_corrections()
            self.assertIn(self.resumed(), range(1, 15))
            shutil.rmtree(self.path('out'))

    def test_corrections_after_signals(self):
        """Corrections, for which all traces are read, are made by the process that simulates the rest."""
        arguments = (self.list, '--warm', 'correction:artifact')
        self.whole(*arguments)
        self.interrupt(*arguments, rows=4, number=signal.SIGTERM)
        rows = self.rows()
        self.assertEqual(self.json('stats.json')['partial'], True)
        self.assertEqual(len(self.text('out', 'correction.csv').splitlines()), 1)
        names = ('cycles_corrected', 'ipc_corrected')
        self.assertEqual(rows, [{**row, **dict.fromkeys(names, '')} for row in self.rows(self.expected)[:len(rows)]])
        self.run_ok(*arguments, '--resume', '--threads', '1')
        self.equal_corrections()
        self.assertGreaterEqual(self.resumed(), 4)

    def test_killed_while_corrections_are_made(self):
        """Everything is simulated, and the traces are read for the reuse: nothing is simulated again."""
        app = self.path('app')
        shutil.copytree(os.path.dirname(self.list), app)
        insts = ''.join('0000 ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0\n' % (0x7f0000000000 + 128 * n) for n in range(1 << 18))
        # is not simulated, but takes long to read
        self.write('app/kernel-1.traceg', (HEADER % ('k1', '-kernel id = 1\n')).replace('(2,1,1)', '(1,1,1)') +
                   '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n%s#END_TB\n' % (1 << 18, insts))
        arguments = (app, '--warm', 'correction:artifact', '--launches', '2-9')
        self.whole(*arguments)
        for number in (signal.SIGKILL, signal.SIGTERM):
            process = self.start(*arguments)
            while len(self.rows_in(self.journal(process))) < 8 and process.poll() is None:
                time.sleep(0.001)
            self.assertFalse(os.path.exists(self.path('out')))
            process.send_signal(number)
            self.assertEqual(process.wait(), -number if number == signal.SIGKILL else 128 + number)
            self.assertEqual(os.path.exists(self.path('out')), number != signal.SIGKILL)
            self.run_ok(*arguments, '--resume', '--threads', '1')
            self.equal_corrections()
            self.assertEqual(self.resumed(), 8)
            shutil.rmtree(self.path('out'))

    def test_printed_text(self):
        """Launches that an earlier process simulated are printed, too."""
        arguments = ('run', self.list, '--print', 'accel-sim', '-o', self.path('out'))
        whole = [line for line in self.hearth(*arguments).stdout.splitlines() if line.startswith('gpu_')]
        shutil.rmtree(self.path('out'))
        self.interrupt(self.list, '--checkpoint', '0', rows=6)
        text = self.hearth(*arguments, '--resume').stdout.splitlines()
        self.assertGreater(self.resumed(), 0)
        self.assertEqual([line for line in text if line.startswith('gpu_')], whole)
        self.assertEqual(len([line for line in text if line.startswith('kernel_launch_uid')]), 15)

    def test_complete(self):
        self.whole(self.list)
        self.run_ok(self.list, '--resume', '--threads', '1')
        before = os.stat(self.path('out', 'run.json')).st_mtime_ns
        done = self.hearth('run', self.list, '--resume', '-o', self.path('out'))
        self.assertEqual(done.stderr, 'hearth: note: --resume: the results in %s are complete\n' % self.path('out'))
        self.assertEqual(os.stat(self.path('out', 'run.json')).st_mtime_ns, before)
        self.equal()

    def test_nothing_to_resume(self):
        self.whole(self.list)
        done = self.hearth('run', self.list, '--resume', '-o', self.path('out'))
        self.assertIn('note: --resume: nothing is left of an earlier run\n', done.stderr)
        self.equal()

    def refused(self, what):
        """An interrupted run, or results, of the list's whole are those of another WHAT."""
        other = {'configuration': (self.list, '--set', 'gpgpu_kernel_launch_latency=7'),
                 'plan': (self.list, '--launches', '1-5'), 'workload': (os.path.join(self.base, 'w'),)}
        self.fails(2, 'has another ' + what if self.leftovers() else 'have another ' + what,
                   'run', *other[what], '--resume', '-o', self.path('out'))

    def test_refused(self):
        self.interrupt(self.list, '--checkpoint', '0')
        for what in ('configuration', 'plan', 'workload'):
            self.refused(what)
        self.whole(self.list)
        self.run_ok(self.list, '--resume', '--threads', '1')          # it is still there
        self.equal()
        self.assertGreater(self.resumed(), 0)
        for what in ('configuration', 'plan', 'workload'):
            self.refused(what)
        self.equal()
        self.write('out/stats.txt', self.text('out', 'stats.txt').replace('version 0', 'version 99', 1))
        self.fails(2, 'have another version', 'run', self.list, '--resume', '-o', self.path('out'))

    def test_journal_of_another_version(self):
        journal = self.interrupt(self.list)
        with open(journal, 'r+') as f:
            text = f.read().replace('hearth-journal 1', 'hearth-journal 2', 1)
            f.seek(0)
            f.write(text)
        self.whole(self.list)
        self.run_ok(self.list, '--resume', '--threads', '1')          # a line that is not whole: nothing in it counts
        self.equal()
        self.assertEqual(self.resumed(), 0)

    def test_journal_that_was_moved(self):
        folder = os.path.dirname(self.interrupt(self.list, '--checkpoint', '0'))
        self.assertGreater(len(self.rows_in(os.path.join(folder, 'journal'))), 0)
        os.mkdir(self.path('there'))
        os.rename(folder, self.path('there', os.path.basename(folder)))
        self.whole(self.list)
        self.run_ok(self.list, '--resume', '--threads', '1', out='there/out')
        self.assertGreater(self.json('run.json', 'there/out')['resumed_launches'], 0)
        os.rename(self.path('there', 'out'), self.path('out'))
        self.equal()

    def test_journal_that_was_moved_twice(self):
        """Alone, and with its workload: a run that goes on in between says where it is."""
        for place in ('a', 'b', 'c'):
            os.mkdir(self.path(place))
        app = shutil.copytree(os.path.dirname(self.list), self.path('a', 'w'))
        workload, options = os.path.join(app, 'long.g'), ('--checkpoint', '0')
        self.whole(self.list)
        folder = os.path.dirname(self.interrupt(workload, *options, rows=4))
        before = len(self.rows_in(os.path.join(folder, 'journal')))
        os.rename(folder, self.path('b', os.path.basename(folder)))
        process = subprocess.Popen([HEARTH, 'run', workload, *options, '--threads', '1', '-q', '-o', self.path('b', 'out'),
                                    '--resume'])
        journal = self.path('b', 'out.part-%d' % process.pid, 'journal')
        while len(self.rows_in(journal)) < before + 2 and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        os.rename(self.path('b'), self.path('c', 'b'))
        os.rename(self.path('a'), self.path('c', 'a'))
        self.run_ok(self.path('c', 'a', 'w', 'long.g'), '--resume', '--threads', '1', out='c/b/out')
        self.assertGreater(self.json('run.json', 'c/b/out')['resumed_launches'], 0)
        same = [name for name in SAME if name != 'plan.out']   # it names the workload's place
        self.assertEqual(filecmp.cmpfiles(self.expected, self.path('c', 'b', 'out'), same, shallow=False), (same, [], []))

    def test_in_use(self):
        process = self.start(self.list)
        deadline = time.monotonic() + 60
        while not self.rows_in(self.journal(process)) and time.monotonic() < deadline:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGSTOP)
        self.fails(4, 'another run is writing it', 'run', self.list, '--resume', '-o', self.path('out'))
        os.kill(process.pid, signal.SIGCONT)
        self.assertEqual(process.wait(), 0)

    def test_without_resume_what_is_left_is_dropped(self):
        self.interrupt(self.list, '--checkpoint', '0')
        self.whole(self.list)
        self.run_ok(self.list)
        self.equal()
        self.assertEqual(self.resumed(), 0)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
