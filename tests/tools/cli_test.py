"""Tests of the command line: exit codes, messages, files.

usage: cli_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import filecmp
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

from case import Case, FILES, HEADER, HEARTH, ROOT, SAME, application, demo, kernel_text

LEADING = ('step,segment,launch,kernel,stream,grid,block,role,mode,cycles,start_cycle,end_cycle,warp_insts,'
           'thread_insts,ipc,warp_ipc,l1d_accesses,l1d_hits,l1d_misses,l1d_pending_hits,l2_reads,l2_read_hits,'
           'l2_read_misses,l2_read_pending_hits,l2_writes,l2_write_hits,dram_reads,dram_writes,')

# The bundled cards: what their files say.
CARDS = {path.stem: path.read_text() for path in
         pathlib.Path(ROOT, 'sim/config/cards').glob('*.config')}


class Commands(Case):
    def test_help(self):
        for arguments in (['--help'], ['run', '--help'], ['warm', '--help'], ['config', '--help']):
            done = self.hearth(*arguments)
            self.assertTrue(done.stdout.startswith('usage: hearth'))
            self.assertEqual(done.stderr, '')

    def test_version(self):
        for arguments in (['--version'], ['run', '--version'], ['config', '--version']):
            self.assertRegex(self.hearth(*arguments).stdout, r'\Ahearth \d+\.\d+\.\d+\n\Z')

    def test_help_in_all_its_forms(self):
        for words in (('run',), ('trace', 'verify'), ('study', 'sampled'), ('trace',), ()):
            expected = self.hearth(*words, '--help').stdout
            for form in (words + ('-h',), ('help',) + words):
                self.assertEqual(self.hearth(*form).stdout, expected, form)
            self.assertEqual(self.hearth(*words, '-V').stdout, self.hearth('--version').stdout)
        for words in (('run',), ('report',), ('diff',), ('sample',), ('sweep',), ('warm',), ('accel-sim',),
                      ('study', 'sampled'), ('completion',)):
            self.assertEqual(self.hearth(*words, 'help').stdout, self.hearth(*words, '--help').stdout)
        self.workload('help')     # a workload that is called so
        self.assertIn('launches       3', self.hearth('run', 'help').stdout)
        self.assertEqual(self.hearth('help', 'help').stdout, self.hearth('--help').stdout)
        self.fails(2, '"nope" is not a command', 'help', 'nope')

    def test_cards_and_options_as_users_write_them(self):
        plain = self.hearth('config', 'show', '-c', 'rtx3070', '--set', 'gpgpu_n_clusters=4').stdout
        self.assertEqual(self.hearth('config', 'show', '-c', 'RTX3070', '--set', '-gpgpu_n_clusters=4').stdout, plain)

    def test_results_have_a_folder_of_their_own(self):
        """Not among traces; but an empty folder and one with earlier results are taken."""
        self.workload('w')
        self.fails(4, 'w: the folder holds other files and no results', 'run', 'w', '-o', 'w')
        self.assertFalse(os.path.exists(self.path('w', 'kernels.csv')))
        os.mkdir(self.path('r'))
        self.run_ok('w', out='r')
        self.write('r/notes', 'mine')
        self.run_ok('w', '--launches', '1', out='r')
        self.assertTrue(os.path.exists(self.path('r', 'notes')))
        os.mkdir(self.path('own'))
        self.write('own/kernels.csv', 'mine\n')
        self.fails(4, 'own: the folder holds other files and no results', 'run', 'w', '-o', 'own')
        self.assertEqual(self.text('own', 'kernels.csv'), 'mine\n')
        os.symlink('nowhere', self.path('link'))
        self.fails(4, 'link: is a symbolic link to nothing', 'run', 'w', '-o', 'link')

    def test_results_of_another_workload(self):
        """They are replaced, but not silently; the same workload replaces its own."""
        self.workload('w')
        self.workload('v', ids=(7,))
        self.assertEqual(self.hearth('run', 'w', '-o', 'r').stderr, '')
        self.assertEqual(self.hearth('run', 'w', '-o', 'r', '-c', 'a100').stderr, '')
        self.assertIn('note: the results in r were those of another workload\n', self.hearth('run', 'v', '-o', 'r').stderr)
        self.hearth('sample', 'v', '--method', 'first-n', '-o', 's.plan', '-q')
        self.assertEqual(self.hearth('run', 's.plan', '-o', 'r').stderr, '')

    def test_leftovers_are_named(self):
        self.workload('w')
        self.write('w/kernel-2.traceg', self.text('w/kernel-2.traceg').replace('FADD', 'FADD x'))
        left = re.search(r'continues from here, with what (r\.part-\d+) keeps for it\n',
                         self.hearth('run', 'w', '-o', 'r', code=3).stderr)
        self.assertEqual(self.leftovers(), [left.group(1)])

    def test_names_that_are_no_text(self):
        """Tables, pages and what is printed can be decoded, and rows still match."""
        name = b'caf\xe9'
        self.write('w/kernel-1.traceg', kernel_text('NAME', 1).encode().replace(b'NAME', name))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        self.assertEqual([row['kernel'] for row in self.run_ok('w')], ['caf\\xe9'])
        self.hearth('report', 'out', '-o', 'page.html')
        self.assertIn('caf\\xe9', self.text('page.html'))
        self.assertIn('caf\\xe9', self.hearth('diff', 'out', 'out').stdout)
        self.assertIn('kernel_name = caf\\xe9 \n', self.hearth('run', 'w', '--print', 'accel-sim').stdout)
        self.hearth('trace', 'profile', 'w', '--cycles', 'out', '-o', 'p.csv', '-q')
        self.assertEqual(self.rows('.', 'p.csv')[0]['kernel'], 'caf\\xe9')
        self.hearth('sample', 'p.csv', '--workload', 'w', '--method', 'first-n', '-o', 's.plan', '-q')
        self.run_ok('s.plan', out='s')

    def test_an_empty_option_file(self):
        self.workload('w')
        self.write('empty.config', '# nothing\n')
        self.assertIn('note: empty.config has no options\n', self.hearth('run', 'w', '-c', 'rtx3070', '-c', 'empty.config').stderr)
        self.assertIn('empty.config has no options', self.hearth('config', 'check', 'empty.config').stdout)

    def test_usage_errors(self):
        self.fails(2, 'no command')
        self.fails(2, '"fly" is not a command; see hearth --help', 'fly')
        self.fails(2, '"rnu" is not a command; did you mean run?', 'rnu')
        self.fails(2, '"--halp" is not a command; did you mean --help?', '--halp')
        self.fails(2, '--halp is not an option; did you mean --help?', 'run', '--halp')
        self.fails(2, '"bsh" is not bash, zsh or fish; did you mean bash?', 'completion', 'bsh')
        self.fails(2, 'trace: "verfy" is not a subcommand; did you mean verify?', 'trace', 'verfy')
        self.fails(2, 'study: "coldstart" is not a subcommand; did you mean cold-start?', 'study', 'coldstart')
        self.fails(2, '--confg is not an option; did you mean --config?', 'run', 'w', '--confg', 'x')
        self.fails(2, '--quiet=1 takes no value; see hearth run --help', 'run', 'w', '--quiet=1')
        self.fails(2, '-Z is not an option; see hearth run --help', 'run', 'w', '-Z')
        self.fails(2, 'rtx409: No such file or directory, and not a bundled configuration; did you mean rtx4090?', 'config',
                   'show', '-c', 'rtx409')
        self.fails(2, 'expected one workload or plan, got 0', 'run')
        self.fails(2, 'got 2', 'run', 'a', 'b')
        self.fails(2, '--speed is not an option', 'run', '--speed', 'a')
        self.fails(2, '-x is not an option', 'run', '-x', 'a')
        self.fails(2, '--flush needs a value', 'run', 'a', '--flush')
        self.fails(2, '--flush "l3": expected none, l1, l2 or all', 'run', 'a', '--flush', 'l3')
        self.fails(2, '--launches "1,"', 'run', 'a', '--launches', '1,')
        self.fails(2, '-o -: a run writes a folder', 'run', 'a', '-o', '-')
        self.fails(2, '--threads "0"', 'run', 'a', '--threads', '0')
        self.fails(2, '--threads "2x"', 'run', 'a', '--threads', '2x')
        self.fails(2, 'expected show, check, list or help', 'config')
        self.fails(2, '"print" is not show, check, list or help', 'config', 'print')
        self.fails(2, '"lits" is not show, check, list or help; did you mean list?', 'config', 'lits')

    def test_misspelt_paths(self):
        """Workloads, plans, tables and results; not files that lists name, whose neighbours have similar names."""
        self.workload('apps/w')
        self.fails(3, 'aps/w: cannot open: No such file or directory; did you mean apps/w?', 'run', 'aps/w')
        self.fails(3, 'apps: the folder has neither kernelslist.g nor kernelslist; below it: apps/w/kernelslist.g', 'run',
                   'apps')
        self.fails(3, 'did you mean apps/w/kernelslist.g?', 'trace', 'info', 'apps/w/kernellist.g')
        self.run_ok('apps/w', out='result')
        self.fails(3, 'not a results folder of hearth run; did you mean result?', 'report', 'results')
        self.fails(3, 'results/config.out: No such file or directory: not a results folder of hearth run; did you mean result?',
                   'activity', 'results')
        self.fails(3, 'did you mean apps/w?', 'sample', 'app/w', '--method', 'sieve', '-o', 's.plan')
        os.remove(self.path('apps/w/kernel-2.traceg'))
        self.assertNotIn('did you mean', self.hearth('run', 'apps/w', '-q', '-o', 'out', code=3).stderr)

    def test_full_output(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([HEARTH, 'config', 'show'], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn('standard output', done.stderr)

    def test_help_is_at_most_100_columns_wide(self):
        trace = re.findall(r'^  (\w+) ', self.hearth('trace', '--help').stdout, re.M)
        study = ('cold-start', 'correlate', 'sampled')
        commands = (['accel-sim'], ['run'], ['sample'], ['warm'], ['config'], ['activity'], ['completion'], ['diff'], ['report'], ['sweep'], ['calibrate'], ['estimate'], ['trace'],
                    ['study'],
                    *(['trace', name] for name in trace), *(['study', name] for name in study))
        self.assertGreater(len(trace), 8)
        for command in ([], *commands):
            wide = [line for line in self.hearth(*command, '--help').stdout.splitlines() if len(line) > 100]
            self.assertEqual(wide, [], command)

    def test_help_and_manual_agree(self):
        for command, page in (('run', 'hearth-run.1'), ('warm', 'hearth-warm.1'), ('config', 'hearth-config.1'),
                              ('calibrate', 'hearth-calibrate.1'), ('diff', 'hearth-diff.1'), ('report', 'hearth-report.1'),
                              ('sweep', 'hearth-sweep.1'), ('activity', 'hearth-activity.1'), ('completion', 'hearth-completion.1'),
                              ('estimate', 'hearth-estimate.1')):
            text = self.hearth(command, '--help').stdout
            former = set(re.findall(r'\(formerly --([a-z]+(?:-[a-z]+)*), which still works\)', ' '.join(text.split())))
            shown = set(re.findall(r'(?<![\w-])--[a-z]+(?:-[a-z]+)*', text)) - {'--' + name for name in former}
            with open(os.path.join(ROOT, 'docs', 'man', page)) as f:
                manual = f.read().replace('\\-', '-')
            options = set(re.findall(r'^\.It .*?Fl -([a-z]+(?:-[a-z]+)*)', manual, re.M))
            self.assertEqual(shown, {'--' + name for name in options}, page)
            for name in former:
                self.assertRegex(manual, r'was called\n\.Fl -' + name, page)


class Config(Case):
    def test_show_feeds_back(self):
        first = self.hearth('config', 'show').stdout
        self.write('a.config', first)
        again = self.hearth('config', 'show', '-c', 'a.config').stdout
        self.assertEqual(first, again)

    def test_later_wins(self):
        self.write('a.config', '-gpgpu_kernel_launch_latency 7\n-gpgpu_max_cycle 3\n')
        self.write('b.config', '-gpgpu_kernel_launch_latency 8\n')
        out = self.hearth('config', 'show', '-c', 'rtx3070', '-c', 'a.config', '-c', 'b.config').stdout
        self.assertIn('-gpgpu_kernel_launch_latency 8 ', out)
        self.assertIn('-gpgpu_max_cycle 3 ', out)
        out = self.hearth('config', 'show', '--set', 'gpgpu_kernel_launch_latency=9', '-c', 'rtx3070').stdout
        self.assertIn('-gpgpu_kernel_launch_latency 9 ', out)

    def test_check(self):
        self.write('good.config', '-gpgpu_max_cycle 3\n')
        self.assertIn('good.config: no errors', self.hearth('config', 'check', 'good.config', 'rtx3070').stdout)
        self.write('bad.config', '\n-gpgpu_max_cycl 3\n')
        self.fails(2, 'bad.config:2:1:', 'config', 'check', 'bad.config')
        self.fails(2, 'no file', 'config', 'check')
        self.fails(2, 'none.config', 'config', 'check', 'none.config')

    def test_check_knows_the_limits_of_the_model(self):
        """What a run would refuse, check refuses; parts of a configuration are none the worse for the rest."""
        self.write('blocks.config', '-gpgpu_shader_cta 1000\n')
        self.fails(2, 'blocks.config: -gpgpu_shader_cta 1000: this model has at most', 'config', 'check', 'blocks.config')
        self.fails(2, '-gpgpu_shader_cta 1000', 'run', self.workload(), '-c', 'blocks.config', '-o', self.path('out'))
        self.write('part.config', '-trace_opcode_latency_initiation_int 4,2\n')
        self.hearth('config', 'check', 'part.config')

    def test_check_with_sets(self):
        self.write('part.config', '-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:L,A:192:4,32:0,32\n-hearth_l2_fetch 64\n')
        self.hearth('config', 'check', 'part.config', '--set', 'hearth_l2_fetch=128')
        self.fails(2, '--set hearth_l2_fetch=96: -hearth_l2_fetch: expected a power of two; got 96',
                   'config', 'check', 'part.config', '--set', 'hearth_l2_fetch=96')
        done = self.hearth('config', 'check', 'part.config', 'h100', '--set', 'gpgpu_shader_cta=1000', code=2)
        self.assertEqual(done.stdout.count('-gpgpu_shader_cta 1000: this model has at most'), 2)

    def test_options_that_an_action_does_not_use(self):
        self.write('part.config', '-gpgpu_max_cycle 3\n')
        self.fails(2, 'config check takes no --config', 'config', 'check', '-c', 'rtx3070', 'part.config')
        for action in ('list', 'help'):
            self.fails(2, 'config %s takes no --config' % action, 'config', action, '-c', 'rtx3070')
            self.fails(2, 'config %s takes no --set' % action, 'config', action, '--set', 'gpgpu_n_mem=4')

    def test_an_error_names_the_set_that_it_comes_with(self):
        """Even if it is reported where a card has another value."""
        whole = 'gpgpu_cache:dl2=N:64:128:16,L:B:m:L:L,A:192:4,32:0,32'
        message = r'^hearth: --set %s: h100:\d+:18: -hearth_l2_fetch: needs a sectored L2' % re.escape(whole)
        for sets in ((whole,), (whole, 'gpgpu_max_cycle=9'), ('gpgpu_max_cycle=9', whole)):
            options = [word for value in sets for word in ('--set', value)]
            self.assertRegex(self.hearth('config', 'show', '-c', 'h100', *options, code=2).stderr, message)
        self.write('empty.config', '')
        self.fails(2, 'hearth: --set gpgpu_n_sub_partition_per_mchannel=8: -gpgpu_dram_timing_opt: 4 banks do not divide',
                   'config', 'check', 'empty.config', '--set', 'gpgpu_n_sub_partition_per_mchannel=8')
        self.write('own.config', '-hearth_l2_fetch 64\n-gpgpu_cache:dl2 N:64:128:16,L:B:m:L:L,A:192:4,32:0,32\n')
        self.fails(2, 'hearth: own.config:1:18: ', 'config', 'check', 'own.config', '--set', 'gpgpu_max_cycle=9')

    def test_check_goes_on_after_an_error(self):
        self.write('good.config', '-keep 1 -network_mode 1\n')
        self.write('bad.config', '\n-gpgpu_max_cycl 3\n')
        done = self.hearth('config', 'check', 'bad.config', 'good.config', 'none.config', 'h100', code=2)
        self.assertEqual(done.stdout.splitlines(), [
            'error: bad.config:2:1: there is no option -gpgpu_max_cycl; did you mean -gpgpu_max_cycle?',
            'note: -network_mode 1 is simulated as 2, a crossbar', 'note: options that do not concern traces: -keep',
            'good.config: no errors',
            'error: none.config: No such file or directory, and not a bundled configuration; hearth config list shows these',
            'h100: no errors'])
        self.assertEqual(done.stderr, 'hearth: 2 of 4 files have errors\n')

    def test_list(self):
        lines = self.hearth('config', 'list').stdout.splitlines()
        cards = {line.split()[0]: line for line in lines[1:]}
        self.assertEqual(set(cards), set(CARDS))
        # SMs, clocks, L2 in MiB, GB/s
        self.assertEqual(cards['rtx3080'].split()[1:6], ['68', '1710', '4750', '5.0', '760'])
        self.assertEqual(cards['qv100'].split()[1:6], ['80', '1132', '850', '6.0', '870'])
        self.assertEqual({name for name, line in cards.items() if 'not validated' in line},
                         {name for name, text in CARDS.items() if 'Nobody has validated' in text})
        self.fails(2, 'takes no "x"', 'config', 'list', 'x')

    def test_every_card_runs(self):
        w = self.workload(ids=(1,), copies=False)
        for card in CARDS:
            row, = self.run_ok(w, '-c', card, out=card)
            self.assertGreater(int(row['cycles']), 5000)
            shown = self.hearth('config', 'show', '-c', card).stdout
            places = '\n-hearth_param_slots 0 ' not in shown
            self.assertEqual(int(row['dram_reads']), 8 + 8 * places)    # and that of its parameters
            self.assertIn('-gpgpu_n_clusters ', shown)

    def test_memory_of_the_largest_card(self):
        """132 SMs, all full, and more blocks than they hold: 512 MiB suffice."""
        blocks = []
        for block in range(6000):
            at = 0x7f0000000000 + block * 4096
            warps = ''.join('warp = %d\ninsts = 4\n0000 ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0\n'
                            '0010 ffffffff 1 R9 FADD 2 R8 R8 0 0\n0020 ffffffff 0 STG.E 2 R6 R9 4 1 0x%x 4 0\n'
                            '0030 ffffffff 0 EXIT 0 0 0\n' % (w, at + w * 128, at + w * 128 + (1 << 30)) for w in range(4))
            blocks.append('#BEGIN_TB\nthread block = %d,0,0\n%s#END_TB\n' % (block, warps))
        head = (HEADER % ('big', '')).replace('(2,1,1)', '(6000,1,1)').replace('(32,1,1)', '(128,1,1)')
        self.write('w/kernel-1.traceg', head + ''.join(blocks))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        row, = self.run_ok(self.path('w'), '-c', 'h100')
        self.assertEqual(int(row['warp_insts']), 6000 * 4 * 4)
        self.assertLess(self.json('run.json')['peak_rss_mib'], 512)

    def bytes_of_launches(self, workload, *options, convert=False):
        """Bytes of memory that a launch takes, between 10,000 and 30,000 of WORKLOAD, lines of a list."""
        peaks, counts = [], (10000, 30000)
        small = ['--set', 'gpgpu_n_clusters=1', '--set', 'gpgpu_n_mem=1', '--threads', '1']
        for count in counts:
            self.write('w/kernelslist.g', ''.join(workload) * (count // len(workload)))
            if convert:
                self.hearth('trace', 'convert', self.path('w'), '-o', self.path('packed'), '--force')
            self.hearth('run', '-q', '-o', self.path('out'), self.path('packed' if convert else 'w'), *small, *options)
            peaks.append(self.json('run.json')['peak_rss_mib'])
            shutil.rmtree(self.path('out'))
        return (peaks[1] - peaks[0]) * 2**20 / (counts[1] - counts[0])

    def test_memory_of_many_launches(self):
        """A million launches take less than 256 MiB, of a list and of a packed workload."""
        self.write('w/kernel-1.traceg', kernel_text('k', None))
        self.assertLess(self.bytes_of_launches(['kernel-1.traceg\n']), 150)
        self.assertLess(self.bytes_of_launches(['kernel-1.traceg\n'], convert=True), 225)

    def test_memory_of_many_warm_launches(self):
        """Also each in a segment of its own, with one launch before it."""
        self.write('w/kernel-1.traceg', kernel_text('k', None))
        self.assertLess(self.bytes_of_launches(['kernel-1.traceg\n'], '--warm', 'functional:1'), 210)

    def test_memory_of_many_launches_in_streams(self):
        names = ['kernel-%d.traceg\n' % n for n in range(1, 5)]
        for n, name in enumerate(names, 1):
            self.write('w/' + name.strip(), kernel_text('k%d' % n, None).replace('stream id = 0', 'stream id = %d' % n))
        # 90 to 185: the peak of one run can be a MiB and a half higher than that of the next one.
        self.assertLess(min(self.bytes_of_launches(names, '--set', 'gpgpu_concurrent_kernel_sm=1') for _ in range(2)), 225)

    def test_memory_of_many_segments(self):
        """A simulator that is built anew for each segment does not take more and more."""
        self.write('w/kernel-1.traceg', kernel_text('k', None))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n' * 3000)
        self.hearth('run', '-q', '-o', self.path('out'), self.path('w'), '--warm', 'functional:1', '--threads', '1')
        self.assertLess(self.json('run.json')['peak_rss_mib'], 150)

    def test_separate_write_queue(self):
        """Writes that wait in DRAM for more of them are written when caches are flushed, or when stores wait for them."""
        queue = ['--set', 'dram_seperate_write_queue_enable=1', '--set', 'dram_write_queue_size=64:56:32']
        rows = self.run_ok(self.workload(), *queue, '--flush', 'all')
        self.assertEqual([int(row['dram_writes']) for row in rows], [0, 8, 8])  # by the flush in front
        rows = self.run_ok(self.workload(), *queue, '--set', 'gpgpu_cache:dl2=none', out='b')
        self.assertEqual([int(row['dram_writes']) for row in rows], [8, 8, 8])

    def test_flush_after_copies(self):
        """What copies fill is flushed, also before the first launch: every launch runs as without them."""
        self.workload()
        filled = self.run_ok(self.path('w'), out='a')
        self.assertGreater(int(filled[0]['l2_read_hits']), 0)
        flushed = self.run_ok(self.path('w'), '--flush', 'all', out='b')
        self.assertEqual([int(row['l2_read_hits']) for row in flushed], [0, 0, 0])
        empty = self.run_ok(self.path('w'), '--flush', 'all', '--set', 'gpgpu_perf_sim_memcpy=0', out='c')
        self.assertEqual([row['cycles'] for row in flushed], [row['cycles'] for row in empty])
        self.assertEqual(flushed[0], empty[0])

    def test_help_on_options(self):
        with open(os.path.join(ROOT, 'sim', 'config', 'options.def')) as f:
            names = re.findall(r'^OPTION\(\w+, \w+, "([^"]+)"', f.read(), re.M)
        for command in (['run', '--help-config'], ['config', 'help'], ['config', '--help-config'], ['--help-config']):
            blocks = re.split(r'^-', self.hearth(*command).stdout, flags=re.M)[1:]
            self.assertEqual([block.split('\n')[0] for block in blocks], names)
            for block in blocks:
                self.assertRegex(block, r'\A\S+\n    \S.*\n(      \S+ +\S.*\n)*    unit: \S.*; range: \S.*; default: \S.*\n    acts on \S.*\n\Z')
            out = self.hearth(*command, 'gpgpu_n_mem', 'rop_latency').stdout
            self.assertEqual(out, '-gpgpu_n_mem\n    memory channels\n    unit: channels; range: from 1 to 1024; default: 8\n'
                                  '    acts on the chip: clusters, SMs, memory channels, clocks\n'
                                  '-gpgpu_l2_rop_latency\n    delay before L2\n'
                                  '    unit: core cycles; range: from 0 to 65536; default: 85\n    acts on the L2 slices\n')
            self.fails(2, 'did you mean -gpgpu_n_mem?', *command, 'gpgpu_n_mme')


class Run(Case):
    def test_files_and_columns(self):
        rows = self.run_ok(self.workload())
        self.assertEqual(sorted(os.listdir(self.path('out'))), FILES)
        self.assertTrue(self.text('out', 'kernels.csv').startswith(LEADING))
        self.assertTrue(self.text('out', 'kernels.csv').split('\n')[0].endswith(
            ',gap_cycles,primed_warp_insts,restored_sectors,cycles_corrected,ipc_corrected'))
        self.assertEqual([r['step'] for r in rows], ['1', '2', '3'])
        self.assertEqual([r['launch'] for r in rows], ['1', '2', '5'])
        self.assertEqual([r['kernel'] for r in rows], ['k1', 'k2', 'k3'])
        for r in rows:
            self.assertEqual((r['segment'], r['grid'], r['block'], r['role'], r['mode']),
                             ('1', '2x1x1', '32x1x1', 'measure', 'detailed'))
            self.assertEqual((r['warp_insts'], r['thread_insts'], r['blocks']), ('8', '256', '2'))
            self.assertEqual(int(r['cycles']), int(r['end_cycle']) - int(r['start_cycle']))
            self.assertAlmostEqual(float(r['warp_ipc']), 8 / int(r['cycles']), places=6)
        self.assertEqual(self.leftovers(), [])

    def test_stats_agree_with_rows(self):
        rows = self.run_ok(self.workload())
        stats = self.json('stats.json')
        self.assertEqual(stats['partial'], False)
        lines = [line for line in self.text('out', 'stats.txt').splitlines() if line[0] != '#']
        text = dict(line.split(' ', 1) for line in lines)
        for name in ('cycles', 'warp_insts', 'l2_reads', 'dram_reads', 'gap_cycles'):
            total = sum(int(r[name]) for r in rows)
            self.assertEqual(stats['totals'][name]['value'], total)
            self.assertEqual(text['total.' + name].split(' ')[0], str(total))
            self.assertTrue(stats['totals'][name]['description'])
        self.assertEqual(len(stats['launches']), 3)
        for row, launch in zip(rows, stats['launches']):
            self.assertEqual(list(row), list(launch))
            self.assertEqual(row['cycles'], str(launch['cycles']))
            step = {name: value for name, value in row.items() if value not in ('0', '')}
            self.assertEqual(step, {name.split('.')[1]: value for name, value in text.items()
                                    if name.startswith('step%s.' % row['step'])})
        self.assertEqual(set(stats['counters']), set(rows[0]))
        for line in lines:
            self.assertRegex(line, r'^\S+ \S+$' if line.startswith('step') else r'^\S+ \S+ # .+$')

    def test_descriptions_stand_once(self):
        self.run_ok(self.workload())
        stats, text = self.json('stats.json'), self.text('out', 'stats.txt')
        counters = stats['counters']
        for name, about in counters.items():
            described = re.findall(r'(?m)^(?:total\.%s \S+ #|# %s:) %s(?: [(\[].*)?$'
                                   % (name, name, re.escape(about['description'])), text)
            self.assertEqual(len(described), 1, name)
        self.assertEqual(self.text('out', 'stats.json').count('"description"'), len(counters) + len(stats['totals']))
        self.assertLess(len(text) - text.index('step1.'), len(text) / 4)

    def test_counters_are_described(self):
        """docs/counters.md has every column and total as the program describes it, and no other."""
        self.run_ok(self.workload(), '--intra', 'blocks')     # has all columns
        stats = self.json('stats.json')
        names = dict(stats['totals'], **stats['counters'])
        expected = ['| `%s` | %s | %s | %s |' % (name, about['unit'], about['description'],
                                                 '`%s`' % about['nsight'] if 'nsight' in about else '')
                    for name, about in names.items()]
        with open(os.path.join(ROOT, 'docs', 'counters.md')) as f:
            self.assertEqual(sorted(line.strip() for line in f if line.startswith('| `')), sorted(expected))
        self.assertEqual(stats['counters']['warp_insts']['nsight'], 'smsp__inst_executed.sum')
        self.assertNotIn('nsight', stats['counters']['l2_reads'])
        self.assertRegex(self.text('out', 'stats.txt'),
                         r'(?m)^total\.warp_insts \d+ # .* \[smsp__inst_executed\.sum\]$')

    def test_run_json(self):
        rows = self.run_ok(self.workload(), '--threads', '2')
        run = self.json('run.json')
        self.assertEqual((run['stop_reason'], run['partial'], run['launches'], run['jobs'], run['threads']),
                         ('end', False, 3, 1, 2))
        insts = sum(int(r['warp_insts']) for r in rows)
        for seconds, speed in (('wall_seconds', 'kwips_wall'), ('cpu_seconds', 'kwips')):
            self.assertGreater(run[seconds], 0)
            self.assertAlmostEqual(run[speed] * run[seconds], insts / 1000, delta=0.25 * insts / 1000)
        self.assertGreater(run['peak_rss_mib'], 0)
        self.assertEqual(run['command'][:2], ['run', self.path('w')])

    def test_equal_bytes(self):
        self.workload()
        self.run_ok(self.path('w'), out='a')
        self.run_ok(self.path('w'), '--threads', '4', out='b')
        self.run_ok(self.path('w', 'kernelslist.g'), out='c')
        self.assertEqual(filecmp.cmpfiles(self.path('a'), self.path('b'), SAME, shallow=False), (SAME, [], []))
        self.assertEqual(self.text('a', 'kernels.csv'), self.text('c', 'kernels.csv'))

    def test_config_and_plan_feed_back(self):
        first = self.run_ok(self.workload(), '--flush', 'all', '--set', 'gpgpu_kernel_launch_latency=11', out='a')
        again = self.run_ok(self.path('a', 'plan.out'), '-c', self.path('a', 'config.out'), out='b')
        self.assertEqual(first, again)
        for name in SAME:
            self.assertEqual(self.text('a', name), self.text('b', name), name)

    def test_default_folder_and_summary(self):
        done = self.hearth('run', self.workload())
        self.assertEqual(sorted(os.listdir(self.path('hearth-out'))), FILES)
        self.assertRegex(done.stdout, r'\Alaunches +3\ncopies +3 to the device, 0.001 MB, which fill L2\ncycles +\d+, 15000 of them launch latency\n')
        done = self.hearth('run', self.path('w'), '--set', 'gpgpu_kernel_launch_latency=0')
        self.assertRegex(done.stdout, r'\Alaunches +3\ncopies +3 to the device, 0.001 MB, which fill L2\ncycles +\d+\n')
        done = self.hearth('run', self.path('w'), '--set', 'gpgpu_max_completed_cta=1')
        self.assertRegex(done.stdout, r'\APARTIAL +stopped early \(gpgpu_max_completed_cta\): only launches that finished\n'
                         r'launches +[12]\n')
        done = self.hearth('run', self.path('w'))
        self.assertIn('hearth-out', done.stdout)
        self.assertEqual(done.stderr, '')
        self.assertEqual(self.hearth('run', self.path('w'), '-q').stdout, '')

    def test_single_trace_and_list_of_any_name(self):
        self.workload()
        self.assertEqual(len(self.run_ok(self.path('w', 'kernel-2.traceg'))), 1)
        self.write('w/mine.txt', 'kernel-3.traceg\n# any\nkernel-1.traceg\n')
        self.assertEqual([r['launch'] for r in self.run_ok(self.path('w', 'mine.txt'))], ['5', '1'])

    def test_names_are_quoted(self):
        self.write('w/kernel-1.traceg', kernel_text('f<a, "b">', 1))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        self.assertEqual(self.run_ok(self.path('w'))[0]['kernel'], 'f<a, "b">')
        self.assertIn(',"f<a, ""b"">",', self.text('out', 'kernels.csv'))

    def test_names_cannot_control_a_terminal(self):
        self.write('w/kernel-1.traceg', kernel_text('f\x1b[2Jg', 1))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        self.run_ok(self.path('w'))
        self.assertIn('\nstep1.kernel f\\x1b[2Jg\n', self.text('out', 'stats.txt'))

    def test_launches(self):
        w = self.workload()
        self.assertEqual([r['launch'] for r in self.run_ok(w, '--launches', '2-5')], ['2', '5'])
        self.assertEqual(self.text('out', 'plan.out').count('MemcpyHtoD'), 3)   # of the skipped one too
        self.assertEqual([r['step'] for r in self.rows()], ['1', '2'])
        self.fails(2, 'has no launch from 3 to 4', 'run', w, '--launches', '1,3-4')

    def test_positions_where_ids_do_not_serve(self):
        for ids in ((4, 4, 7), (1, None, 3)):
            w = self.workload(ids=ids)
            done = self.hearth('run', w, '--launches', '2,3', '-o', self.path('out'))
            self.assertEqual([r['launch'] for r in self.rows()], ['2', '3'])
            self.assertEqual(done.stderr.count('kernel ids are missing or repeat'), 1)

    def test_flush(self):
        w = self.workload(copies=False)
        by_level = {level: self.run_ok(w, '--flush', level) for level in ('none', 'l1', 'l2', 'all')}
        third = {level: rows[2] for level, rows in by_level.items()}
        self.assertEqual(third['l1']['dram_reads'], '0')
        self.assertEqual(third['l1']['l1d_hits'], '0')
        self.assertGreater(int(third['l2']['dram_reads']) + int(third['l2']['l1d_hits']), 0)
        self.assertEqual(third['all']['l1d_hits'], '0')
        self.assertEqual(third['all']['l2_read_hits'], '0')
        self.assertEqual(third['all']['dram_reads'], by_level['all'][0]['dram_reads'])
        self.assertEqual(self.run_ok(w), by_level['l1'])                          # the default
        self.assertEqual(self.run_ok(w, '--set', 'gpgpu_flush_l2_cache=1'), by_level['all'])
        self.assertEqual(self.run_ok(w, '--flush', 'l1', '--set', 'gpgpu_flush_l2_cache=1'), by_level['l1'])

    def test_limits_are_no_failure(self):
        w = self.workload()
        for option in ('gpgpu_max_cycle', 'gpgpu_max_insn', 'gpgpu_max_cta', 'gpgpu_max_completed_cta'):
            done = self.hearth('run', w, '--set', option + '=1', '-o', self.path('out'))
            self.assertIn('note: stopped by %s after' % option, done.stderr)
            self.assertEqual(self.json('run.json')['stop_reason'], option)
            self.assertEqual(self.json('stats.json')['partial'], True)
            self.assertLess(len(self.rows()), 3)
        self.assertEqual(len(self.run_ok(w, '--set', 'gpgpu_max_insn=513')), 3)    # met in the last one


class Errors(Case):
    def test_no_workload(self):
        self.fails(3, 'nothing', 'run', 'nothing')
        self.assertFalse(os.path.exists(self.path('hearth-out')))

    def test_empty_file(self):
        for text in ('', '\n \n'):
            empty = self.write('empty.traceg', text)
            self.fails(3, 'empty.traceg: the file is empty', 'run', empty)

    def test_copy_beyond_the_last_address(self):
        self.workload()
        path = self.write('w/mine.g', 'MemcpyHtoD,0x7f4000000000,18446744073709551615\nkernel-1.traceg\n')
        self.fails(3, 'mine.g:1:27: ', 'run', path)

    def test_configuration(self):
        w = self.workload()
        self.fails(2, 'gpgpu_max_cycl', 'run', w, '--set', 'gpgpu_max_cycl=1')
        self.fails(2, 'gpgpu_n_mem', 'run', w, '--set', 'gpgpu_n_mem=8x')
        self.fails(2, 'none.config', 'run', w, '-c', 'none.config')

    def test_missing_trace_keeps_what_is_finished(self):
        w = self.workload()
        os.unlink(self.path('w', 'kernel-2.traceg'))
        self.hearth('run', w, '-q', '-o', self.path('out'), code=3)
        self.assertEqual([r['kernel'] for r in self.rows()], ['k1'])
        self.assertEqual(self.run_ok(self.path('out', 'plan.out'), out='again'), self.rows())
        self.assertEqual(self.json('run.json')['stop_reason'], 'error')
        self.assertEqual(self.json('stats.json')['partial'], True)
        self.run_ok(w, '--launches', '1,5')                                       # it is not asked for

    def test_corrupt_trace(self):
        w = self.workload()
        text = self.text('w', 'kernel-2.traceg').replace('FADD 2 R8', 'FADD x R8')
        self.write('w/kernel-2.traceg', text)
        done = self.hearth('run', w, '-q', '-o', self.path('out'), code=3)
        self.assertRegex(done.stderr, r'\Ahearth: .*kernel-2\.traceg:\d+:\d+: ')
        self.assertEqual(len(self.rows()), 1)

    def test_output(self):
        w = self.workload()
        self.write('file', 'mine\n')
        self.fails(4, 'is no folder', 'run', w, '-o', self.path('file'))
        self.fails(4, 'file', 'run', w, '-o', self.path('file', 'below'))
        self.fails(4, '', 'run', w, '-o', '')
        self.assertEqual(self.text('file'), 'mine\n')

    def test_disk_full(self):
        w = self.workload()
        done = subprocess.run(['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh', HEARTH, 'run', w, '-q', '-o',
                               self.path('out')], capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertFalse(os.path.exists(self.path('out')))
        self.assertEqual(self.leftovers(), [])

    def test_output_folder_is_used_again(self):
        w = self.workload()
        self.run_ok(w)
        self.write('out/mine.txt', 'stays\n')
        self.write('out/deadlock.txt', 'of an earlier run\n')
        self.run_ok(w, '--launches', '1')
        self.assertEqual(sorted(os.listdir(self.path('out'))), sorted(FILES + ['mine.txt']))
        self.assertEqual(len(self.rows()), 1)

    def test_signals_keep_what_is_finished(self):
        self.workload(copies=False)
        self.write('w/long.g', 'kernel-1.traceg\nkernel-2.traceg\n' * 200000)
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([HEARTH, 'run', self.path('w', 'long.g'), '-o', self.path('out')],
                                       stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            deadline = time.monotonic() + 60
            while not os.path.isdir(self.path('out.part-%d' % process.pid)) and time.monotonic() < deadline:
                time.sleep(0.01)        # results_init() comes right before the first launch
            time.sleep(0.3)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, errors)
            self.assertIn('stopped by ' + number.name, errors)
            self.assertEqual(self.json('run.json')['stop_reason'], number.name)
            self.assertEqual(self.json('stats.json')['partial'], True)
            rows = self.rows()
            self.assertGreater(len(rows), 0)
            self.assertLess(len(rows), 400000)
            self.assertIsNotNone(rows[-1]['gap_cycles'])
            self.assertIn('note: the same command with --resume continues from here, with what ', errors)
            self.assertEqual(self.leftovers(), ['out.part-%d' % process.pid])
            shutil.rmtree(self.path('out'))
            self.run_ok(self.path('w'))
            self.assertEqual(self.leftovers(), [])
            shutil.rmtree(self.path('out'))


    def start(self, out):
        """A run that takes long, once it writes beside OUT. Returns it and its folder there."""
        if not os.path.exists(self.path('w', 'long.g')):    # another run may be reading it
            self.workload(copies=False)
            self.write('w/long.g', 'kernel-1.traceg\nkernel-2.traceg\n' * 200000)
        process = subprocess.Popen([HEARTH, 'run', self.path('w', 'long.g'), '-q', '-o', self.path(out)])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        folder = self.path('%s.part-%d' % (out, process.pid))
        deadline = time.monotonic() + 60
        while not (os.path.isdir(folder) and os.listdir(folder)) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertTrue(os.listdir(folder))
        return process, folder

    def test_what_a_killed_run_left_is_removed(self):
        process, dead = self.start('out')
        _, alive = self.start('out')
        _, other = self.start('out2')
        process.kill()
        process.wait()
        self.write(dead + '/kernels.csv', 'half')
        mine = [self.path(name) for name in ('out.part-mine', 'out.part-1', 'out.part-999999999', 'out.part-5x')]
        for folder in mine:
            os.mkdir(folder)
        self.write('out.part-999999999/notes', 'no run wrote this')
        empty = self.path('out.part-999999998')     # as of a run that was killed before it wrote anything
        os.mkdir(empty)
        self.assertTrue(os.path.isdir(dead))
        self.run_ok(self.path('w'))
        self.assertFalse(os.path.exists(dead))
        self.assertFalse(os.path.exists(empty))
        for folder in [alive, other] + mine:
            self.assertTrue(os.path.isdir(folder), folder)
        self.assertEqual(sorted(os.listdir(self.path('out'))), FILES)
        self.run_ok(self.path('w'))         # into a folder that is there
        self.assertEqual(sorted(os.listdir(self.path('out'))), FILES)
        self.assertTrue(os.path.isdir(alive))


class CpiStack(Case):
    def test_stacks_of_every_launch(self):
        """Classes add up to all slots, by launch and by scheduler, and change nothing else."""
        w = self.workload()
        plain = self.run_ok(w, out='plain')
        self.assertNotIn('schedulers.csv', os.listdir(self.path('plain')))
        rows = self.run_ok(w, '--cpi-stack')
        with open(self.path('out', 'schedulers.csv'), newline='') as f:
            stacks = list(csv.DictReader(f))
        classes = list(stacks[0])[3:]
        self.assertEqual(list(stacks[0])[:3], ['step', 'launch', 'scheduler'])
        self.assertEqual(len(stacks), 4 * len(rows))
        for row, before in zip(rows, plain):
            own = [s for s in stacks if s['step'] == row['step']]
            self.assertEqual([s['scheduler'] for s in own], ['0', '1', '2', '3'])
            for stack in own:
                self.assertEqual(stack['launch'], row['launch'])
                self.assertEqual(sum(int(stack[c]) for c in classes), 46 * int(row['cycles']))
            for c in classes:
                self.assertEqual(sum(int(s[c]) for s in own), int(row[c]), c)
            self.assertLessEqual(int(row['cpi_issued']), int(row['warp_insts']))
            self.assertAlmostEqual(sum(float(row[c + '_share']) for c in classes), 1, delta=1e-4)
            self.assertEqual({n: v for n, v in row.items() if not n.startswith('cpi_')},
                             {n: v for n, v in before.items() if not n.startswith('cpi_')})
            self.assertEqual({v for n, v in before.items() if n.startswith('cpi_')}, {'0'})
        totals = self.json('stats.json')['totals']
        for c in classes:
            total = totals[c]['value']
            self.assertEqual(total, sum(int(r[c]) for r in rows))
            self.assertAlmostEqual(totals[c + '_share']['value'],
                                   total / (4 * 46 * totals['cycles']['value']), delta=1e-5)
        self.run_ok(w, '--set', 'hearth_cpi_stack=1', out='set')
        self.assertEqual(self.text('out', 'schedulers.csv'), self.text('set', 'schedulers.csv'))
        self.run_ok(w)                      # without: an old file does not stay
        self.assertNotIn('schedulers.csv', os.listdir(self.path('out')))


class Parts(Case):
    def parts(self, *arguments, out='out'):
        rows = self.run_ok(*arguments, '--parts', out=out)
        with open(self.path(out, 'parts.csv'), newline='') as f:
            return rows, list(csv.DictReader(f))

    def check_sums(self, rows, parts, sms=46, slices=32, channels=16):
        for row in rows:
            own = [p for p in parts if p['step'] == row['step']]
            self.assertEqual([p['part'] for p in own], sms * ['sm'] + slices * ['slice'] + channels * ['channel'])
            self.assertEqual([int(p['number']) for p in own], [*range(sms), *range(slices), *range(channels)])
            self.assertEqual({p['launch'] for p in own}, {row['launch']})
            for name in list(own[0])[4:]:
                self.assertEqual(sum(int(p[name]) for p in own if p[name]), int(row[name]), name)

    def test_parts_of_every_launch(self):
        """Each counter adds up to the launch's; nothing else changes; the number of threads does not matter."""
        w = self.workload()
        plain = self.run_ok(w, out='plain')
        self.assertNotIn('parts.csv', os.listdir(self.path('plain')))
        rows, parts = self.parts(w, '--threads', '1')
        self.assertEqual(rows, plain)
        self.check_sums(rows, parts)
        for name, kind in (('warp_insts', 'sm'), ('l2_reads', 'slice'), ('dram_read_bytes', 'channel')):
            self.assertEqual({p['part'] for p in parts if p[name]}, {kind})
            self.assertTrue(kind == 'channel' or any(p[name] not in ('', '0') for p in parts), name)
        first = self.text('out', 'parts.csv')
        self.parts(w, '--threads', '3', out='threads')
        self.assertEqual(first, self.text('threads', 'parts.csv'))
        plan = self.write('w/p.plan', '!plan 1\n' + ''.join('!segment name=%d\nkernel-%d.traceg\n' % (n, n)
                                                           for n in (1, 2, 3)))
        rows, parts = self.parts(plan, '--jobs', '1')
        self.check_sums(rows, parts)
        self.assertTrue(any(p['dram_read_bytes'] not in ('', '0') for p in parts))
        self.parts(plan, '--jobs', '3', out='jobs')
        self.assertEqual(self.text('out', 'parts.csv'), self.text('jobs', 'parts.csv'))
        self.run_ok(w)                      # without: an old file does not stay
        self.assertNotIn('parts.csv', os.listdir(self.path('out')))

    def test_flushes_and_copies(self):
        """What a flush writes belongs to a slice; without an L2, writes belong to channels."""
        w = self.workload()
        rows, parts = self.parts(w, '--flush', 'all')
        self.check_sums(rows, parts)
        self.assertTrue(any(int(row['dram_writes']) > 0 for row in rows))
        self.assertTrue(any(p['dram_read_bytes'] not in ('', '0') for p in parts))
        rows, parts = self.parts(w, '--set', 'gpgpu_cache:dl2=none')
        self.check_sums(rows, parts)
        self.assertTrue(any(p['part'] == 'channel' and p['dram_writes'] != '0' for p in parts))


class Intervals(Case):
    def series(self, *arguments):
        rows = self.run_ok(*arguments)
        with open(self.path('out', 'intervals.csv'), newline='') as f:
            return rows, list(csv.DictReader(f))

    def test_series_of_every_launch(self):
        w = self.workload()
        plain = self.run_ok(w, out='plain')
        self.assertNotIn('intervals.csv', os.listdir(self.path('plain')))
        rows, series = self.series(w, '--intervals', '1000')
        self.assertEqual(rows, plain)
        for row in rows:
            own = [s for s in series if s['step'] == row['step']]
            self.assertEqual([int(s['begin_cycle']) for s in own], list(range(0, int(row['cycles']), 1000)))
            self.assertEqual(own[-1]['end_cycle'], row['cycles'])
            self.assertEqual({s['launch'] for s in own}, {row['launch']})
            for name in ('cycles', 'warp_insts', 'thread_insts', 'l1d_accesses', 'l2_reads', 'l2_writes'):
                self.assertEqual(sum(int(s[name]) for s in own), int(row[name]), name)
            for s in own:
                self.assertAlmostEqual(float(s['warp_ipc']), int(s['warp_insts']) / int(s['cycles']), delta=1e-5)
                moved = int(s['dram_read_bytes']) + int(s['dram_write_bytes'])
                peak = 448.064e9 / 1132e6 * int(s['cycles'])
                self.assertAlmostEqual(float(s['dram_bandwidth_use']), moved / peak, delta=1e-5)
        first = self.text('out', 'intervals.csv')
        self.run_ok(w, '--intervals', '1000', '--threads', '3', out='threads')
        self.assertEqual(first, self.text('threads', 'intervals.csv'))
        self.run_ok(w)                      # without: an old series does not stay
        self.assertNotIn('intervals.csv', os.listdir(self.path('out')))

    def test_unfinished_launches_have_no_series(self):
        self.workload()
        text = self.text('w', 'kernel-2.traceg').replace('FADD 2 R8', 'FADD x R8')
        self.write('w/kernel-2.traceg', text)
        self.hearth('run', self.path('w'), '-q', '-o', self.path('out'), '--intervals', '100', code=3)
        with open(self.path('out', 'intervals.csv'), newline='') as f:
            series = list(csv.DictReader(f))
        self.assertEqual({s['step'] for s in series}, {'1'})
        self.assertEqual(series[-1]['end_cycle'], self.rows()[0]['cycles'])

    def test_bad_lengths(self):
        for text in ('0', '-5', '1e3', '', ' 7', '99999999999999999999'):
            self.fails(2, '--intervals "%s": expected a whole number from 1 to 1000000000000' % text, 'run', self.workload(), '--intervals', text)


class AccelSim(Case):
    """The text of --print accel-sim, read as scripts for GPGPU-Sim's logs read it: a regular expression each, whose
    first group is the value; among them all of accel-sim-framework's util/job_launching/stats/example_stats.yml. Those of a launch hold its own value, the others the sum over the launches so far."""
    OF_LAUNCH = {
        r'kernel_launch_uid\s*=\s*(\d+)': 'step',
        r'kernel_stream_id\s*=\s*(\d+)': 'stream',
        r'gpu_sim_cycle\s*=\s*(\d+)': 'cycles',
        r'gpu_sim_insn\s*=\s*(\d+)': 'thread_insts',
    }
    SUMMED = {
        r'gpu_tot_sim_cycle\s*=\s*(.*)': ['cycles'],
        r'gpu_tot_sim_insn\s*=\s*(.*)': ['thread_insts'],
        r'gpu_tot_issued_cta\s*=\s*(.*)': ['blocks'],
        r'gpgpu_n_tot_w_icount\s*=\s*(.*)': ['warp_insts'],
        r'gpgpu_n_tot_thrd_icount\s*=\s*(.*)': ['thread_insts'],
        r'total dram reads\s*=\s*(.*)': ['dram_reads'],
        r'total dram writes\s*=\s*(.*)': ['dram_writes'],
        r'\s+L1D_total_cache_accesses\s*=\s*(.*)': ['l1d_accesses'],
        r'\s+L1D_total_cache_misses\s*=\s*(.*)': ['l1d_misses'],
        r'\s+L1D_total_cache_pending_hits\s*=\s*(.*)': ['l1d_pending_hits'],
        r'\s+L1D_total_cache_reservation_fails\s*=\s*(.*)': ['l1d_reservation_fails'],
        r'L2_total_cache_accesses\s*=\s*(.*)': ['l2_reads', 'l2_writes'],
        r'L2_total_cache_misses\s*=\s*(.*)': ['l2_read_misses', 'l2_write_misses'],
        r'L2_total_cache_pending_hits\s*=\s*(.*)': ['l2_read_pending_hits', 'l2_write_pending_hits'],
    }
    KINDS = {
        'Total_core_cache_stats_breakdown': {
            'GLOBAL_ACC_R': ['l1d_global_load'], 'GLOBAL_ACC_W': ['l1d_global_store'],
            'LOCAL_ACC_R': ['l1d_local_load'], 'LOCAL_ACC_W': ['l1d_local_store']},
        'L2_cache_stats_breakdown': {
            'GLOBAL_ACC_R': ['l2_global_read', 'l2_atomic'], 'GLOBAL_ACC_W': ['l2_global_write'],
            'LOCAL_ACC_R': ['l2_local_read'], 'LOCAL_ACC_W': ['l2_local_write'],
            'L1_WRBK_ACC': ['l2_l1_write_back']},
    }
    STATUS = {'HIT': '_hits', 'HIT_RESERVED': '_pending_hits', 'SECTOR_MISS': '_sector_misses', 'TOTAL_ACCESS': 's',
              'RESERVATION_FAIL': '_reservation_fails'}
    TIMES = [r'gpgpu_simulation_time\s*=.*\(([0-9]+) sec\).*', r'gpgpu_simulation_rate\s+=\s+(.*)\s+\(inst/sec\)',
             r'gpgpu_simulation_rate\s+=\s+(.*)\s+\(cycle/sec\)', r'gpgpu_silicon_slowdown\s*=\s*(.*)x']

    def summed(self):
        """All patterns of summed values: to columns that are added, and columns that are subtracted."""
        patterns = {pattern: (names, []) for pattern, names in self.SUMMED.items()}
        for cache, kinds in self.KINDS.items():
            for kind, prefixes in kinds.items():
                name = r'\s+%s\[%s\]\[%%s\]\s*=\s*(.*)' % (cache, kind)
                for status, suffix in self.STATUS.items():
                    patterns[name % status] = ([p + suffix for p in prefixes], [])
                patterns[name % 'MISS'] = ([p + '_misses' for p in prefixes], [p + '_sector_misses' for p in prefixes])
                if kind.endswith('_R'):
                    patterns[name % 'MSHR_HIT'] = ([p + '_mshr_hits' for p in prefixes], [])
        return patterns

    def value(self, block, pattern):
        """What the pattern finds in a block: exactly one value."""
        found = [m.group(1).strip() for m in (re.search(pattern, line.rstrip()) for line in block) if m]
        self.assertEqual(len(found), 1, pattern)
        return float(found[0])

    def memory_workload(self):
        """Two launches with every kind of access."""
        code = ['1 R8 LDG.E 1 R4 4 1 0x7f0000100000 4 0', '1 R9 LDG.E 1 R4 4 1 0x7f0000100000 4 0',
                '1 R9 FFMA 2 R8 R9 0 0', '0 STG.E 2 R4 R9 4 1 0x7f0000100000 4 0',
                '0 STL 2 R4 R9 4 1 0x7f0000000000 0 0', '1 R9 LDL 1 R9 4 1 0x7f0000000040 0 0',
                '1 R9 ATOMG.E.ADD 2 R4 R9 4 1 0x7f0000200000 4 0', '0 EXIT 0 0 0']
        for n in (1, 2):
            text = HEADER.replace('-nregs', '-local mem base_addr = 0x7f0000000000\n-nregs') % ('k%d' % n,
                                                                                            '-kernel id = %d\n' % n)
            for block in range(2):
                text += '#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = %d\n' % (block, len(code))
                text += ''.join('%04x ffffffff %s\n' % (16 * i, line) for i, line in enumerate(code)) + '#END_TB\n'
            self.write('m/kernel-%d.traceg' % n, text)
        self.write('m/kernelslist.g', 'kernel-1.traceg\nkernel-2.traceg\n')
        return self.path('m')

    def check(self, *arguments):
        text = self.hearth('run', *arguments, '--print', 'accel-sim', '-o', self.path('out')).stdout
        head, *blocks = re.split(r'^kernel_name\s+=\s+', text, flags=re.M)
        rows = self.rows()
        sums = dict.fromkeys((name for name in rows[0]), 0)
        self.assertEqual(len(blocks), len(rows))
        for block, row in zip(blocks, rows):
            lines = block.split('\n')
            self.assertEqual(lines[0].strip(), row['kernel'])
            for name in sums:
                sums[name] += int(row[name]) if row[name].isdigit() else 0
            for pattern, name in self.OF_LAUNCH.items():
                self.assertEqual(self.value(lines, pattern), int(row[name]), pattern)
            for pattern, (plus, minus) in self.summed().items():
                self.assertEqual(self.value(lines, pattern), sum(sums[n] for n in plus) - sum(sums[n] for n in minus),
                                 pattern)
            for pattern, expected in (
                    (r'gpu_ipc\s*=\s*(.*)', float(row['ipc'])),
                    (r'gpu_tot_ipc\s*=\s*(.*)', sums['thread_insts'] / sums['cycles']),
                    (r'gpu_occupancy\s*=\s*(.*)%', 100 * float(row['occupancy'])),
                    (r'gpu_tot_occupancy\s*=\s*(.*)%', 100 * sums['warp_cycles'] / (48 * sums['sm_active_cycles'])),
                    (r'L2_BW\s*=\s*(.*) GB/Sec', float(row['l2_bandwidth'])),
                    (r'L2_BW_total\s*=\s*(.*) GB/Sec',
                     32 * 1.132 * (sums['l2_reads'] + sums['l2_writes']) / sums['cycles'])):
                self.assertAlmostEqual(self.value(lines, pattern), expected, delta=1e-4 + 1e-5 * expected, msg=pattern)
            # As example_stats.yml has it: it finds the line, but its group is empty, here as in GPGPU-Sim's logs.
            self.assertEqual(sum(bool(re.search(r'L2_BW\s*=\s*(.*)+GB/Sec', line)) for line in lines), 1)
            for pattern in self.TIMES:
                self.assertGreaterEqual(self.value(lines, pattern), 0, pattern)
        self.assertRegex(head, r'(?m)^.*GPGPU-Sim.*\[build\s+(.*)\]')
        return text, rows

    def test_every_kind(self):
        _, rows = self.check(self.memory_workload())
        for name in ('l1d_global_loads', 'l1d_global_load_mshr_hits', 'l1d_global_stores', 'l1d_local_loads',
                     'l1d_local_stores', 'l2_global_reads', 'l2_global_writes', 'l2_local_writes', 'l2_atomics'):
            self.assertGreater(int(rows[0][name]), 0, name)

    def test_application(self):
        application(self.path('app'))
        text, rows = self.check(self.path('app'), '-q')
        self.assertEqual(len(rows), 12)
        self.assertTrue(text.endswith('GPGPU-Sim: *** exit detected ***\n'))
        totals = self.json('stats.json')['totals']
        for name, pattern in (('cycles', r'gpu_tot_sim_cycle = (\d+)'), ('dram_reads', 'total dram reads = (.*)')):
            self.assertEqual(re.findall(pattern, text)[-1], str(totals[name]['value']))

    def test_segments_side_by_side(self):
        self.workload()
        plan = self.write('w/s.plan', '!plan 1\nkernel-1.traceg\nkernel-2.traceg\n!segment name=b\nkernel-3.traceg\n')
        texts = [re.sub(r'gpgpu_si.*', '', self.check(plan, '--jobs', jobs)[0]) for jobs in '12']
        self.assertEqual(texts[0], texts[1])

    def test_only_the_end_is_an_end(self):
        w = self.workload()
        limited = self.hearth('run', w, '--print', 'accel-sim', '--set', 'gpgpu_max_insn=1', '-o', self.path('out'))
        self.assertIn('*** exit detected ***', limited.stdout)
        os.unlink(self.path('w', 'kernel-2.traceg'))
        failed = self.hearth('run', w, '--print', 'accel-sim', '-o', self.path('out'), code=3)
        self.assertEqual(failed.stdout.count('kernel_name = '), 1)
        self.assertNotIn('exit detected', failed.stdout)

    def test_other_formats(self):
        self.fails(2, '--print "json": expected accel-sim', 'run', self.workload(), '--print', 'json')


class Plans(Case):
    def plan(self, *lines):
        return self.write('w/test.plan', '\n'.join(('!plan 1',) + lines) + '\n')

    def test_roles_and_scale(self):
        self.workload()
        rows = self.run_ok(self.plan('!step role=warm kind=detailed', 'kernel-1.traceg',
                                     '!step role=measure scale=3 stands=2,5', 'kernel-2.traceg'))
        self.assertEqual([r['role'] for r in rows], ['warm', 'measure'])
        totals = self.json('stats.json')['totals']
        self.assertEqual((totals['launches']['value'], totals['warm_launches']['value']), (1, 1))
        self.assertEqual(totals['cycles']['value'], int(rows[1]['cycles']))
        extrapolated = self.json('stats.json')['extrapolated']
        self.assertEqual((extrapolated['launches'], extrapolated['measured']), (2, 1))
        statistics = extrapolated['statistics']
        for name in ('cycles', 'warp_insts', 'l1d_accesses', 'dram_reads'):
            self.assertEqual((statistics[name]['value'], statistics[name]['error']), (3 * int(rows[1][name]), None))
        self.assertAlmostEqual(statistics['ipc']['value'], float(rows[1]['ipc']), delta=1e-4)

    def test_segments_are_independent(self):
        self.workload()
        rows = self.run_ok(self.plan('kernel-1.traceg', 'kernel-1.traceg', '!segment name=again', 'kernel-1.traceg'))
        self.assertEqual([r['segment'] for r in rows], ['1', '1', 'again'])
        same = [{k: v for k, v in rows[i].items() if k not in ('step', 'segment')} for i in (0, 2)]
        self.assertEqual(same[0], same[1])
        self.assertLess(int(rows[1]['dram_reads']), int(rows[0]['dram_reads']))

    def test_flush_line(self):
        self.workload()
        rows = self.run_ok(self.plan('kernel-1.traceg', '!flush level=all dirty=drop', 'kernel-1.traceg'))
        self.assertEqual(rows[1]['dram_reads'], rows[0]['dram_reads'])
        self.assertEqual(rows[1]['dram_writes'], '0')

    def test_workload_line(self):
        w = self.workload(ids=(3, 8, 9))
        plan = self.write('plans/a.plan', '!plan 1\n!workload path=../w\nkernel-2.traceg\n')
        self.assertEqual([r['launch'] for r in self.run_ok(plan, '--allow-outside')], ['8'])
        self.run_ok(w, out='full')
        digest = self.json('stats.json', 'full')['workload_digest']
        self.assertEqual(self.json('stats.json')['workload_digest'], digest)
        plan = self.write('plans/b.plan', '!plan 1\n!workload path=../w digest=%s\nkernel-2.traceg\n' % digest)
        self.run_ok(plan)
        self.write('w/kernel-3.traceg', kernel_text('other_name', 9))
        self.fails(2, 'the plan is for a workload of digest ' + digest, 'run', plan)

    def test_workload_that_is_not_there(self):
        for digest in ('', ' digest=1'):
            plan = self.plan('# a comment', '!workload path=/nonexistent/traces' + digest, 'kernel-1.traceg')
            self.fails(3, 'test.plan:3: !workload: /nonexistent/traces: No such file', 'run', plan)

    def test_plan_out_needs_the_traces_alone(self):
        w = self.workload()
        self.run_ok(w, out='full')
        digest = self.json('stats.json', 'full')['workload_digest']
        plan = self.plan('kernel-1.traceg', '!step role=measure scale=2', 'kernel-3.traceg')
        first = self.run_ok(plan)
        self.assertIn('!workload path=%s digest=%s\n' % (os.path.realpath(w), digest), self.text('out', 'plan.out'))
        self.assertEqual(self.json('stats.json')['workload_digest'], digest)
        os.unlink(plan)
        self.assertEqual(self.run_ok(self.path('out', 'plan.out'), out='again'), first)

    def test_plan_out_without_a_list(self):
        w = self.workload()
        os.unlink(os.path.join(w, 'kernelslist.g'))
        first = self.run_ok(self.plan('kernel-1.traceg', 'kernel-3.traceg'), '--launches', '5')
        self.assertEqual([r['launch'] for r in first], ['5'])
        self.assertIn('!workload path=%s\n' % os.path.realpath(w), self.text('out', 'plan.out'))
        self.assertEqual(self.run_ok(self.path('out', 'plan.out'), '--allow-outside', out='again'), first)

    def test_first_line_that_is_not_the_first(self):
        w = self.workload(copies=False)
        late = self.write('w/late.plan', '# mine\n!plan 1\n!step role=warm kind=detailed\nkernel-1.traceg\n')
        done = self.hearth('run', late, '-o', self.path('out'))
        self.assertRegex(done.stderr, r'\Ahearth: note: .*late\.plan: "!plan 1" in line 2: [^\n]*\n\Z')
        self.assertEqual([r['role'] for r in self.rows()], ['measure'])
        self.write('w/kernelslist.g', '!plan 1\nkernel-1.traceg\n')
        self.assertIn('"!plan 1" in line 1', self.hearth('run', w).stderr)
        self.assertEqual(self.hearth('run', os.path.join(w, 'kernelslist.g')).stderr, '')

    def test_what_is_not_there_is_said(self):
        self.workload()
        for lines, message in ((('!step role=measure intra=x', 'kernel-1.traceg'), ':3: intra "x": expected one of'),):
            self.fails(2, message, 'run', self.plan(*lines), '-o', self.path('out'))
        self.assertFalse(os.path.exists(self.path('out')))

    def test_errors_have_places(self):
        self.workload()
        self.fails(2, 'test.plan:3:2: unknown word "!jump"', 'run', self.plan('kernel-1.traceg', '!jump'))
        self.fails(2, 'test.plan:2:8: !flush: level=l9', 'run', self.plan('!flush level=l9'))
        for line, message in (('!method name=a confidence=7', '2:16: !method: confidence=7: expected a number above 0'),
                              ('!method name=a confidence=0', 'above 0 and below 1'),
                              ('!method name=a confidence=x', 'above 0 and below 1'),
                              ('!method name=a scale=half', 'expected insts, launches or times'),
                              ('!method name=a draw=twice', 'expected random or rule'),
                              ('!total launches=3 warp_insts=-1', '2:19: !total: warp_insts=-1: expected a whole number'),
                              ('!total launches=""', 'expected a whole number'),
                              ('!warm policy=lukewarm', '2: !warm: warm-up "lukewarm": expected none, full'),
                              ('!step role=measure stands=4,1-3,2', '2:20: !step: stands=4,1-3,2: expected each launch once'),
                              ('!step role=measure stands=1,1', 'expected each launch once')):
            self.fails(2, message, 'run', self.plan(line, 'kernel-1.traceg'))


class Synthetic(Case):
    def test_reuse_shows(self):
        warm = self.run_ok(demo('dct8x8'), out='warm')
        cold = self.run_ok(demo('dct8x8'), '--flush', 'all', out='cold')
        self.assertEqual(len(warm), 118)
        self.assertEqual([r['warp_insts'] for r in warm], [r['warp_insts'] for r in cold])
        self.assertLess(sum(int(r['cycles']) for r in warm[1:]), sum(int(r['cycles']) for r in cold[1:]))
        self.assertLess(sum(int(r['dram_reads']) for r in warm), sum(int(r['dram_reads']) for r in cold))
        for r in warm + cold:
            self.assertEqual(int(r['l1d_accesses']),
                             int(r['l1d_hits']) + int(r['l1d_misses']) + int(r['l1d_pending_hits']))
            self.assertEqual(int(r['l2_reads']), int(r['l2_read_hits']) + int(r['l2_read_misses'])
                             + int(r['l2_read_pending_hits']))


class Texts(Case):
    """Texts of files on a terminal, in messages and in spreadsheets."""

    ESCAPE = '\x1b]0;title\x07\x1b[2J\x9b1m'

    def named(self, name):
        self.workload(ids=(1,))
        text = self.text('w/kernel-1.traceg')
        self.write('w/kernel-1.traceg', re.sub(r'-kernel name = .*', lambda _: '-kernel name = ' + name, text))

    def assert_harmless(self, done):
        for text in (done.stdout, done.stderr):
            self.assertNotRegex(text, '[\x00-\x08\x0b-\x1f\x7f-\x9f]')

    def test_control_characters(self):
        self.named('k' + self.ESCAPE)
        shown = r'k\x1b]0;title\x07\x1b[2J'
        for arguments in (('trace', 'info', 'w'), ('trace', 'footprint', 'w'), ('run', 'w', '--print', 'accel-sim')):
            done = self.hearth(*arguments)
            self.assert_harmless(done)
            self.assertIn(shown, done.stdout)
        self.write('q.csv', 'launch,kernel,warp_insts\n1,a,"x\ny' + self.ESCAPE + '"\n')
        self.write('w/p.plan', '!plan 1\n!flush level=%s\n' % self.ESCAPE)
        self.write('c', '-gpgpu_n_mem %s\n' % self.ESCAPE.replace(';', ''))
        for code, arguments in ((3, ('sample', 'q.csv', '--method', 'sieve', '-o', 'x.plan')), (2, ('run', 'w/p.plan')),
                                (2, ('config', 'check', 'c'))):
            done = self.hearth(*arguments, code=code)
            self.assert_harmless(done)
            self.assertIn('x1b', done.stderr + done.stdout)
            self.assertEqual(done.stderr.count('\n'), 1, done.stderr)

    def test_other_characters_stay(self):
        self.named('k\u00e4\u2014\U0001f600<a, b>')
        self.assertIn('k\u00e4\u2014\U0001f600<a, b>\n', self.hearth('trace', 'info', 'w').stdout)

    def test_long_values(self):
        self.write('c', '-gpgpu_n_mem ' + 10000 * '9' + '\n-gpgpu_scheduler ' + 10000 * 'x' + '\n')
        for arguments in (('config', 'check', 'c'), ('run', 'w', '--set', 'gpgpu_n_mem=' + 10000 * '9'),
                          ('run', 'w', '--set', 'gpgpu_scheduler=' + 10000 * 'x'), ('run', 'w', '--set', 10000 * 'y' + '=1')):
            done = self.hearth(*arguments, code=2)
            self.assertLess(len(done.stderr + done.stdout), 400)
            self.assertIn('...', done.stderr + done.stdout)

    def test_formulas(self):
        """Names that a spreadsheet would evaluate get a quote, which goes when they are read."""
        for name in ('=1+cmd|x', '+a', '-a', '@SUM(A1)'):
            self.named(name)
            self.hearth('run', 'w', '-q', '-o', 'out')
            self.assertEqual(self.rows('out')[0]['kernel'], "'" + name)
            self.hearth('trace', 'profile', 'w', '-f', '-q', '-o', 'p.csv')
            self.assertIn('"\'' + name + '"', self.text('p.csv'))
            self.hearth('trace', 'profile', 'p.csv', '-f', '-q', '--cycles', 'out', '-o', 'q.csv')
            self.assertIn('"\'' + name + '"', self.text('q.csv'))

    def test_unknown_speed_up(self):
        self.write('z.csv', 'launch,kernel,warp_insts,cycles\n1,a,0,5\n2,b,0,7\n')
        done = self.hearth('sample', 'z.csv', '--evaluate', '--method', 'first-n', '--count', '1')
        self.assertNotIn('nan', done.stdout)
        self.assertRegex(done.stdout, r' 2\.40 +- +0\.167')


class NoOutput(Case):
    """What fails leaves no folder behind."""

    def test_text_needs_a_folder(self):
        packed = demo('dct8x8')
        for arguments in (('trace', 'convert', packed), ('trace', 'cut', packed, '--to', 'text', '--launches', '1'),
                          ('trace', 'synth', 'bfs', '--scale', '0.01')):
            self.fails(2, '-o -: text is written to a folder, not to standard output', *arguments, '-o', '-')
        self.assertEqual(os.listdir(self.place), [])

    def test_damaged(self):
        with open(demo('dct8x8'), 'rb') as f:
            data = bytearray(f.read())
        data[2000] ^= 255
        with open(self.path('bad.packed'), 'wb') as f:
            f.write(data)
        self.hearth('trace', 'convert', 'bad.packed', '-o', 'text', code=3)
        self.trace('convert', '-', '-o', 'text', stdin=bytes(data), code=3)
        os.mkdir(self.path('mine'))
        self.hearth('trace', 'convert', 'bad.packed', '-o', 'mine', code=3)
        self.assertEqual(sorted(os.listdir(self.place)), ['bad.packed', 'mine'])

    def test_full_folder(self):
        """The error of a trace that cannot be written names the cause."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = subprocess.run([HEARTH, 'trace', 'convert', demo('dct8x8'), '-o', self.path('out')], preexec_fn=limit,
                              restore_signals=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn('kernel-1.traceg: cannot write: File too large\n', done.stderr)

    def test_list_that_begins_with_blank_lines(self):
        self.workload()
        for lines in ('\n\n\n', ' \n\n'):
            text = lines + self.text('w/kernelslist.g').lstrip()
            self.write('w/kernelslist.g', text)
            self.hearth('trace', 'convert', 'w', '-f', '-o', 'packed')
            self.hearth('trace', 'convert', 'packed', '-f', '-o', 'again')
            self.assertEqual(self.text('again/kernelslist.g'), text)

    def test_first_launch_that_does_not_fit(self):
        self.workload()
        self.fails(2, 'does not fit on an SM', 'run', 'w', '--set', 'gpgpu_shader_registers=32', '-o', 'out')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_full_disk(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([HEARTH, 'trace', 'profile', demo('dct8x8'), '-o', '-'], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (4, 'hearth: standard output: cannot write: No space left on device\n'))


class SmallCaches(Case):
    """L1s of few lines: sets of which all lines are dirty, or reserved again after their data had come."""
    OPTIONS = {'one set of one line': ['gpgpu_n_clusters=1', 'gpgpu_l1_latency=2',
                                       'gpgpu_cache:dl1=N:1:128:1,F:T:m:L:X,A:48:48,4:0,1'],
               'one way, write-back': ['gpgpu_n_clusters=5', 'gpgpu_memory_partition_indexing=3', 'gpgpu_sub_core_model=0',
                                       'gpgpu_num_reg_banks=2', 'gpgpu_cache:dl1=S:16:128:1,L:B:m:W:X,A:8:48,64:0,32']}

    def test_they_run_to_the_end(self):
        expected = [row['warp_insts'] for row in self.run_ok(demo('reduction'))]
        for name, options in self.OPTIONS.items():
            sets = [word for option in ['gpgpu_adaptive_cache_config=0'] + options for word in ('--set', option)]
            self.assertEqual([row['warp_insts'] for row in self.run_ok(demo('reduction'), *sets)], expected, name)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
