"""The drop-in for Accel-Sim: its command line, what its scripts read, and, with a checkout of accel-sim-framework
(-Daccel_sim=FOLDER, with gpu-simulator/gpgpu-sim), these scripts themselves."""
import os
import re
import shutil
import stat
import subprocess
import sys
import time
import unittest

from case import Case, HEARTH, ROOT, demo

CHECKOUT = sys.argv[3] if len(sys.argv) > 3 else ''
# A file as Accel-Sim's tested configurations have it, with options that only mean something for PTX.
CONFIG = '''# comment
-gpgpu_ptx_instruction_classification 0
-gpgpu_ptx_force_max_capability 86
-gpgpu_ptx_force_min_capability 70
-gpgpu_stack_size_limit 1024
-gpgpu_n_clusters 46
-gpgpu_n_cores_per_cluster 1
-gpgpu_clock_domains 1132.0:1132.0:1132.0:3500.5
-gpgpu_kernel_launch_latency 5000
'''
TRACE_CONFIG = '-trace_opcode_latency_initiation_int 4,2\n-trace_opcode_latency_initiation_sp 4,2\n'


class DropIn(Case):
    def setUp(self):
        super().setUp()
        self.program = self.path('bin', 'accel-sim.out')
        os.mkdir(self.path('bin'))
        shutil.copy(HEARTH, self.program)   # as run_simulations.py copies what the link points to
        self.folder = os.path.dirname(self.write('cfg/gpgpusim.config', CONFIG))
        self.write('cfg/trace.config', TRACE_CONFIG)
        os.rename(self.workload('w'), self.path('traces'))

    def call(self, *arguments, code=0, program=None):
        done = subprocess.run([*(program or [self.program]), *arguments], capture_output=True, text=True, cwd=self.place,
                              timeout=120)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def cycles(self, text):
        return re.findall(r'^gpu_sim_cycle = (\d+)', text, re.M)

    def test_the_command_line_of_its_jobs(self):
        """justrun.sh: accel-sim.out -config ./gpgpusim.config -trace ./traces/kernelslist.g."""
        self.write('gpgpusim.config', CONFIG + TRACE_CONFIG)
        before = sorted(os.listdir(self.place))
        done = self.call('-config', './gpgpusim.config', '-trace', './traces/kernelslist.g')
        self.assertEqual(done.stderr, '')
        self.assertEqual(sorted(os.listdir(self.place)), before)
        self.assertTrue(done.stdout.endswith('GPGPU-Sim: *** exit detected ***\n'))
        self.assertEqual(len(self.cycles(done.stdout)), 3)
        for program in ([self.program], [HEARTH, 'accel-sim']):   # the trace is that of Accel-Sim's default
            self.assertEqual(self.cycles(self.call('-config', 'gpgpusim.config', program=program).stdout),
                             self.cycles(done.stdout))
        self.assertEqual([row['cycles'] for row in self.run_ok('traces', '-c', 'gpgpusim.config')],
                         self.cycles(done.stdout))

    def test_options_win_over_files(self):
        plain = self.cycles(self.call('-config', 'cfg').stdout)
        more = self.cycles(self.call('-gpgpu_kernel_launch_latency', '6000', '-config', 'cfg').stdout)
        rows = self.run_ok('traces', '-c', 'cfg', '--set', 'gpgpu_kernel_launch_latency=6000')
        self.assertEqual(more, [row['cycles'] for row in rows])
        self.assertNotEqual(more, plain)
        switch = self.call('-config', 'cfg', '-gpgpu_concurrent_kernel_sm', '-gpgpu_kernel_launch_latency', '5000')
        self.assertEqual(self.cycles(switch.stdout),
                         self.cycles(self.call('-config', 'cfg', '-gpgpu_concurrent_kernel_sm', '1').stdout))
        self.call('-config', 'cfg', '--threads', '2', '--output', 'results')
        self.assertEqual([row['cycles'] for row in self.rows('results')], plain)

    def test_a_folder_is_a_configuration(self):
        both = self.hearth('config', 'show', '-c', 'cfg').stdout
        self.assertEqual(self.hearth('config', 'show', '-c', 'cfg/gpgpusim.config', '-c', 'cfg/trace.config').stdout, both)
        self.assertIn('-trace_opcode_latency_initiation_int 4,2', both)
        os.unlink(self.path('cfg', 'gpgpusim.config'))
        self.hearth('config', 'show', '-c', 'cfg')
        os.unlink(self.path('cfg', 'trace.config'))
        self.fails(2, 'cfg: a folder without gpgpusim.config and trace.config', 'config', 'show', '-c', 'cfg')

    def test_options_for_ptx_are_notes(self):
        self.assertIn('-gpgpu_ptx_force_min_capability', self.hearth('config', 'check', 'cfg').stdout)
        done = self.call('-config', 'cfg', '-gpgpu_ptx_force_min_capability', '80')
        self.assertEqual((done.stderr, done.stdout.count('hearth: note: ')), ('', 1))

    def test_notes_are_no_statistics(self):
        """Those on the configuration stand before the first launch, and none of them has a value."""
        self.write('empty=1.config', '')
        lines = self.call('-config', 'cfg', '-config', 'empty=1.config').stdout.splitlines()
        notes = [i for i, line in enumerate(lines) if line.startswith('hearth: note: ')]
        self.assertEqual(lines[notes[0]], 'hearth: note: empty:1.config has no options')
        self.assertLess(max(notes), next(i for i, line in enumerate(lines) if line.startswith('kernel_name = ')))
        self.assertFalse([i for i in notes if '=' in lines[i]])

    def version(self, base):
        """extract_version(): strings PROGRAM | grep BASE, and a regular expression on Python's bytes."""
        with open(self.program, 'rb') as f:
            lines = [line for line in re.findall(rb'[\x20-\x7e]{4,}', f.read()) if base.encode() in line]
        return re.sub(r".*(%s[^\s^']+).*" % base, r'\1', str(b'\n'.join(lines).rstrip()))

    def test_versions_that_run_simulations_searches(self):
        version = self.version('accelsim-commit')
        self.assertRegex(version, r'\Aaccelsim-commit-hearth-[\d.]+\Z')
        self.assertRegex(self.version('gpgpu-sim_git-commit'), r'\Agpgpu-sim_git-commit-hearth-[\d.]+\Z')
        jobname = 'bfs-rodinia.' + version   # job_status.py and get_stats.py take it from the name of a job
        self.assertEqual(re.sub(r'.*\.([^\s]*-commit-.*)', r'\1', jobname), version)
        head = self.call('-config', 'cfg').stdout.splitlines()[:2]
        self.assertEqual(re.match(r'Accel-Sim.*\[build\s+(.*)\].*', head[0]).group(1), version)
        self.assertTrue(re.match(r'.*GPGPU-Sim.*\[build\s+(.*)\].*', head[1]))

    def test_bank_conflicts(self):
        """The two lines of example_stats.yml that are not in other tests, as sums over the launches."""
        text = self.call('-config', 'rtx3070', '-trace', demo('histogram'), '--output', 'out').stdout
        for line, column in (('shmem', 'shmem_conflict_cycles'), ('l1cache', 'l1d_bank_conflict_cycles')):
            values = [int(row[column]) for row in self.rows()]
            found = re.findall(r'gpgpu_n_%s_bkconflict\s*=\s*(.*)' % line, text)
            self.assertEqual([int(value) for value in found], [sum(values[:i + 1]) for i in range(len(values))])
            self.assertGreater(sum(values), 0, line)

    def test_words_that_mean_a_failure_do_not_occur(self):
        """job_status.py searches output for these."""
        text = self.call('-config', 'cfg').stdout
        for word in ('passed', 'PASSED', 'Assertion', 'Segmentation fault', 'Aborted', 'PBS', 'FAILED', 'failed', 'Failed'):
            self.assertNotIn(word, text)

    def test_errors(self):
        for words, code, message in (
                (['-config', 'cfg', '-gpgpu_n_clusterz', '4'], 2, 'there is no option -gpgpu_n_clusterz; did you mean'),
                (['-config', 'cfg', 'traces'], 2, 'there is no option traces'),
                (['-config'], 2, '-config needs a value'),
                (['-config', 'cfg', '-gpgpu_n_clusters'], 2, '-gpgpu_n_clusters needs a value'),
                (['-config', 'cfg', '-gpgpu_n_clusters', 'x'], 2, 'gpgpu_n_clusters'),
                (['-config', 'cfg', '--threads', '0'], 2, '--threads "0": expected a whole number from 1'),
                (['-trace', 'traces'], 2, '-config FILE is missing'),
                (['-config', 'cfg', '-trace', 'nowhere'], 3, 'nowhere')):
            done = self.call(*words, code=code)
            self.assertRegex(done.stderr, r'\Ahearth: [^\n]*\n\Z')
            self.assertIn(message, done.stderr)
            self.assertNotIn('exit detected', done.stdout)
        self.assertTrue(self.call('--help').stdout.startswith('usage: hearth accel-sim'))
        self.assertTrue(self.call('-V').stdout.startswith('hearth '))


@unittest.skipUnless(CHECKOUT, 'no checkout of accel-sim-framework (-Daccel_sim=FOLDER)')
class Scripts(Case):
    APP = 'hearth:\n  exec_dir: ""\n  data_dirs: ""\n  execs:\n    - small:\n      - args:\n        accel-sim-mem: 1G\n'

    def setUp(self):
        super().setUp()
        simulator = os.path.join(CHECKOUT, 'gpu-simulator')
        self.jobs = self.path('util', 'job_launching')
        shutil.copytree(os.path.join(CHECKOUT, 'util', 'job_launching'), self.jobs)
        shutil.rmtree(os.path.join(self.jobs, 'logfiles'), ignore_errors=True)
        self.write('util/job_launching/apps/define-hearth.yml', self.APP)
        os.makedirs(self.path('bin', 'release'))
        os.symlink(HEARTH, self.path('bin', 'release', 'accel-sim.out'))
        os.makedirs(self.path('gpgpu-sim', 'lib', 'release'))
        os.symlink(HEARTH, self.path('gpgpu-sim', 'lib', 'release', 'libcudart.so'))   # only its version is read
        os.symlink(os.path.join(simulator, 'gpgpu-sim', 'configs'), self.path('gpgpu-sim', 'configs'))
        os.symlink(os.path.join(simulator, 'configs'), self.path('configs'))
        self.write('tools/nvcc', '#!/bin/sh\necho "Cuda compilation tools, release 11.0, V11.0"\n')
        os.chmod(self.path('tools', 'nvcc'), stat.S_IRWXU)
        os.makedirs(self.path('traces', 'small', 'NO_ARGS'))
        os.rename(self.workload('w'), self.path('traces', 'small', 'NO_ARGS', 'traces'))
        python = os.path.dirname(sys.executable)
        self.env = dict(os.environ, GPGPUSIM_SETUP_ENVIRONMENT_WAS_RUN='1', ACCELSIM_ROOT=self.place,
                        GPGPUSIM_ROOT=self.path('gpgpu-sim'), ACCELSIM_CONFIG='release', GPGPUSIM_CONFIG='release',
                        PATH=os.pathsep.join([self.path('tools'), python, os.environ['PATH']]))

    def script(self, name, *arguments):
        done = subprocess.run([sys.executable, os.path.join(self.jobs, name), *arguments], cwd=self.jobs, env=self.env,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_run_status_and_statistics(self):
        runs = self.path('runs')
        self.script('run_simulations.py', '-B', 'hearth', '-C', 'RTX3070-SASS', '-T', self.path('traces'), '-N', 'test',
                    '-l', 'local', '-r', runs)
        end = time.time() + 100
        ask = ('job_status.py', '-N', 'test', '-r', runs, '-j', 'procman')
        while not re.search('COMPLETE|NOT_RUNNING', status := self.script(*ask)):
            self.assertLess(time.time(), end, status)
            time.sleep(1)
        self.assertIn('COMPLETE_NO_OTHER_INFO', status)
        config = self.path('runs', 'small', 'NO_ARGS', 'RTX3070-SASS', 'gpgpusim.config')
        rows = self.run_ok(self.path('traces', 'small', 'NO_ARGS', 'traces'), '-c', config)
        for arguments, cycles in (([], sum(int(row['cycles']) for row in rows)), (['-k', '-K'], None)):
            text = self.script('get_stats.py', '-N', 'test', '-r', runs, *arguments)
            self.assertRegex(text, r'accelsim-commit-hearth-[\d.]+')
            table = text[text.index('gpu_tot_sim_cycle'):]
            self.assertNotIn(',NA', table)
            if cycles is not None:
                self.assertRegex(table, r'\nsmall/NO_ARGS(--final_kernel)?,%d\n' % cycles)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
