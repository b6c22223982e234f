"""Tests of warm-up as plans and hearth run carry it out.

usage: warm_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import unittest

from case import Case, demo, HEADER, HEARTH, kernel_text


def kernel(name, number, body, blocks=2):
    text = (HEADER % (name, '-kernel id = %d\n' % number)).replace('(2,1,1)', '(%d,1,1)' % blocks)
    for block in range(blocks):
        insts = body(block)
        text += '#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = %d\n%s#END_TB\n' % (
            block, len(insts), ''.join('%04x %s\n' % (16 * i, text) for i, text in enumerate(insts)))
    return text


def loads(base, bytes_a_block=1024):
    def body(block):
        lines = []
        for at in range(0, bytes_a_block, 128):
            lines += ['ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0' % (base + block * bytes_a_block + at),
                      'ffffffff 1 R9 FADD 2 R8 R8 0 0']
        return lines + ['ffffffff 0 EXIT 0 0 0']
    return body


def stores(base, bytes_a_block=1024):
    def body(block):
        return ['ffffffff 0 STG.E 2 R6 R9 4 1 0x%x 4 0' % (base + block * bytes_a_block + at)
                for at in range(0, bytes_a_block, 128)] + ['ffffffff 0 EXIT 0 0 0']
    return body


def without(row, *names):
    return {k: v for k, v in row.items() if k not in ('step', 'segment') + names}


class Warm(Case):
    """1 writes, 2 reads what 1 wrote, 3 has data of its own, 4 reads what 1 wrote."""
    BASE, OTHER = 0x7f002b5c0000, 0x7f002bdc0000

    def setUp(self):
        super().setUp()
        bodies = [stores(self.BASE), loads(self.BASE), loads(self.OTHER), loads(self.BASE)]
        for n, body in enumerate(bodies, 1):
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, body, blocks=8))
        self.names = ['kernel-%d.traceg' % n for n in range(1, 5)]
        self.write('w/kernelslist.g', '\n'.join(self.names) + '\n')

    def test_phase(self):
        """With empty caches, launches that start in one phase take the same time whatever was in front of them."""
        cycles = []
        for policy in ('full', 'none'):
            self.hearth('run', demo('dct8x8'), '--warm', policy, '--launches', '1-20', '--flush', 'all', '-o',
                        self.path(policy), '--set', 'gpgpu_perf_sim_memcpy=0', '--set', 'hearth_start_phase=1', '-q')
            cycles.append([r['cycles'] for r in self.rows(policy) if r['role'] == 'measure'])
        self.assertEqual(len(cycles[0]), 20)
        self.assertEqual(cycles[0], cycles[1])

    def test_meanings_of_cold(self):
        """A launch by itself is what a flush at launches' ends leaves; a flush at its start also takes what copies brought."""
        def run(name, *arguments):
            self.hearth('run', demo('dct8x8'), '--set', 'hearth_start_phase=1', '--launches', '1-40', '-o',
                        self.path(name), '-q', *arguments)
            return [(r['cycles'], r['l2_read_hits'], r['dram_reads']) for r in self.rows(name)]
        alone = run('none', '--warm', 'none')
        self.assertEqual(len(alone), 40)
        self.assertEqual(run('end', '--flush', 'all', '--set', 'hearth_flush_at=end'), alone)
        start = run('start', '--flush', 'all')
        self.assertEqual(sum(a != b for a, b in zip(alone, start)), 5)  # those right after copies
        self.assertEqual(run('start-alone', '--flush', 'all', '--warm', 'none'), start)
        self.assertEqual(run('empty', '--warm', 'none', '--set', 'gpgpu_perf_sim_memcpy=0'), start)
        self.assertEqual(run('both', '--flush', 'all', '--set', 'hearth_flush_at=both'), start)

    def test_states_of_a_detailed_run(self):
        """In phase, a launch after a state of the detailed run is what it is in that run, also where data is evicted."""
        small = ('--set', 'gpgpu_cache:dl2=S:4:128:4,L:B:m:L:P,A:192:4,32:0,32', '--set', 'hearth_start_phase=1',
                 '--launches', '1-10', '-q')
        def run(policy):
            self.hearth('run', demo('oceanfft'), '--warm', policy, *small, '-o', self.path('out'))
            return [r['cycles'] for r in self.rows(self.path('out')) if r['role'] == 'measure']
        full = run('full')
        self.assertEqual(len(full), 10)
        self.assertNotEqual(run('checkpoint'), full)
        self.assertEqual(run('checkpoint:detailed'), full)
        for more in (('--now',), ('--variant', 'gpgpu_n_mem=4')):
            self.fails(2, 'makes its states', 'warm', demo('oceanfft'), '--warm', 'checkpoint:detailed', *more, '-o',
                       self.path('p.plan'))

    def test_states_of_code(self):
        """Caches of instructions keep code between launches. States hold it: a launch on an H100 takes about as long as
        in the full run, and a flush of L2 leaves it as cold as a launch by itself."""
        def run(*arguments):
            rows = self.run_ok(demo('dct8x8'), '-c', 'h100', '--launches', '1-8', '--set', 'hearth_start_phase=1', '--set',
                               'gpgpu_kernel_launch_latency=0', *arguments)
            return {r['launch']: r for r in rows if r['role'] == 'measure'}
        full = run('--warm', 'full')
        for policy in ('checkpoint', 'nsl', 'functional:all', 'checkpoint:detailed'):
            warm = run('--warm', policy)
            for launch, row in full.items():
                self.assertEqual(row['l1i_misses'], warm[launch]['l1i_misses'], (policy, launch))
                self.assertAlmostEqual(int(row['cycles']), int(warm[launch]['cycles']), delta=0.01 * int(row['cycles']))
        cold = run('--warm', 'none', '--set', 'gpgpu_perf_sim_memcpy=0')
        self.assertGreater(*(sum(int(r['l1i_misses']) for r in rows.values()) for rows in (cold, full)))
        flushed = run('--flush', 'all')
        self.assertEqual([r['l1i_misses'] for r in flushed.values()], [r['l1i_misses'] for r in cold.values()])

    def test_places_of_parameters(self):
        """An H100 reads from DRAM where a launch has left its parameters, in eight places in turn. From the ninth launch on,
        L2 has them, which earlier launches have left there whether they are replayed or not."""
        def run(policy):
            rows = self.run_ok(demo('dct8x8'), '-c', 'h100', '--launches', '1-12', '--warm', policy)
            return [int(r['l2_code_reads']) for r in rows if r['role'] == 'measure']
        full = run('full')
        self.assertEqual(full, 8 * [8] + 4 * [0])
        for policy in ('functional:1', 'functional:auto', 'memory:1', 'detailed:1', 'checkpoint'):
            self.assertEqual(run(policy), full, policy)
        self.assertEqual(run('none'), 12 * [8])

    def test_states_with_the_bit_of_copies(self):
        """With two halves of L2, states hold lines whose addresses look like those of copies."""
        for number in (1, 2):
            self.write('b/kernel-%d.traceg' % number, kernel_text('k', number, base=0x0200700000000000))
        self.write('b/kernelslist.g', 'kernel-1.traceg\nkernel-2.traceg\n')

        def run(policy):
            rows = self.run_ok(self.path('b'), '-c', 'h100', '--launches', '2', '--warm', policy)
            return [(r['cycles'], r['l2_read_hits']) for r in rows if r['role'] == 'measure']
        expected = run('functional:all')
        self.assertEqual([hits for _, hits in expected], ['8'])
        self.assertEqual(run('checkpoint'), expected)
        self.assertEqual(run('nsl'), expected)

    def test_states_of_l1(self):
        """Where L1 survives between launches, states hold it, too. They are exact in phase, as nothing is evicted."""
        def run(policy, *more):
            rows = self.run_ok(demo('dct8x8'), '--launches', '1-30', '--flush', 'none', '--warm', policy, '--set',
                               'hearth_start_phase=1', *more)
            return [(r['cycles'], r['l1d_hits']) for r in rows if r['role'] == 'measure']
        full = run('full')
        self.assertGreater(sum(int(hits) for _, hits in full), sum(int(hits) for _, hits in run('none')))
        self.assertEqual(run('checkpoint'), full)
        self.assertEqual(run('nsl'), full)
        self.assertEqual(run('checkpoint:detailed'), full)
        sizes = [os.path.getsize(self.path('out.states', n)) for n in os.listdir(self.path('out.states'))]
        self.run_ok(demo('dct8x8'), '--launches', '1-30', '--warm', 'checkpoint:detailed', out='flushed')
        self.assertLess(max(os.path.getsize(self.path('flushed.states', n)) for n in os.listdir(self.path('flushed.states'))),
                        min(sizes))

    @staticmethod
    def states(folder):
        contents = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as f:
                contents.append(f.read())
        return contents

    def test_states_of_l1_on_h100(self):
        """Each launch begins with the first SM there, so that blocks find the L1 of the same SM as in the full run. Without
        the halves of L2, they also take the same cycles; with them, stores of SMs of both halves drop each other's copies,
        and which one comes first is not known in functional launches."""
        def run(policy, *more):
            rows = self.run_ok(demo('dct8x8'), '-c', 'h100', '--launches', '1-8', '--flush', 'none', '--warm', policy, '--set',
                               'hearth_start_phase=1', *more)
            return [(r['cycles'], r['l1d_hits']) for r in rows if r['role'] == 'measure']
        whole = '--set', 'hearth_l2_far_latency=0'
        self.assertEqual(run('checkpoint', *whole), run('full', *whole))
        self.assertEqual([hits for _, hits in run('checkpoint')], [hits for _, hits in run('full')])

    def test_first_launch_of_states(self):
        """The pass that makes states flushes as a run does, before its first launch, too."""
        self.write('w/kernelslist.g', 'MemcpyHtoD,0x%x,16384\n' % self.BASE + '\n'.join(self.names[:2]) + '\n')
        for at in ('start', 'end', 'both'):
            flush = ('--set', 'gpgpu_flush_l2_cache=1', '--set', 'hearth_flush_at=' + at)
            self.hearth('warm', self.path('w'), '--warm', 'checkpoint', *flush, '-o', self.path(at + '.plan'), '-q')
            self.hearth('run', self.path(at + '.plan'), *flush, '-o', self.path('out'), '-q')
            self.hearth('warm', self.path('w'), '--warm', 'checkpoint', '--now', *flush, '-o', self.path(at + '-now.plan'), '-q')
            states = [self.states(self.path(name)) for name in (at + '.plan.states', at + '-now.plan.states')]
            self.assertEqual(len(states[0]), 1)
            self.assertEqual(states[0], states[1], at)

    def test_flush_behind_states(self):
        """Where L2 is flushed in front of each launch, restored states are, as what launches leave is."""
        rows = {}
        for policy in ('full', 'checkpoint', 'nsl', 'functional:1'):
            out = self.path(policy.replace(':', '-'))
            self.hearth('run', self.path('w'), '--warm', policy, '--flush', 'all', '-o', out, '-q')
            rows[policy] = [(r['l2_read_hits'], r['dram_reads']) for r in self.rows(out) if r['role'] == 'measure']
        self.assertEqual(len(rows['full']), 4)
        for policy in rows:
            self.assertEqual(rows[policy], rows['full'], policy)

    def plan(self, *lines, name='w/test.plan'):
        return self.write(name, '\n'.join(('!plan 1',) + lines) + '\n')


class Steps(Warm):
    def test_sources_of_functional_launches(self):
        """A functional launch leaves the same, whichever form its trace has; memory-only traces say in their headers what the
        code does between loads. Without that, loads do not wait for each other."""
        w = {name: self.path(name) for name in ('spmv', 'spmv.packed', 'mem', 'mem.packed', 'old')}
        self.hearth('trace', 'synth', 'spmv', '--scale', '0.05', '-o', w['spmv'], '-q')
        self.hearth('trace', 'convert', w['spmv'], '-o', w['spmv.packed'], '-q')
        self.hearth('trace', 'memonly', w['spmv'], '-o', w['mem'], '-q')
        self.hearth('trace', 'memonly', w['spmv.packed'], '--to', 'packed', '-o', w['mem.packed'], '-q')
        shutil.copytree(w['mem'], w['old'])
        for name in ['old/' + name for name in os.listdir(w['old']) if name.startswith('kernel-')]:
            with open(self.path(name), encoding='ascii') as file:
                text = file.read()
            lines = [line for line in text.splitlines(True) if not line.startswith('-code between = ')]
            self.assertEqual(len(lines), text.count('\n') - 1)
            self.write(name, ''.join(lines))

        def states(workload, name):
            plan = ['!workload path=../' + workload]
            for i in range(1, 5):
                plan += ['!step role=warm kind=functional', name % i, '!save file=%d.l2' % i]
            folder = workload + '-' + name[:8]
            path = self.plan(*plan, name=folder + '/plan')
            self.hearth('run', path, '-o', self.path('out'), '-q', '--allow-outside', '--set',
                        'gpgpu_cache:dl2=S:32:128:8,L:B:m:L:P,A:192:4,32:0,32')
            found = [self.path(folder, '%d.l2' % i) for i in range(1, 5)]
            contents = []
            for path in found:
                with open(path, 'rb') as file:
                    contents.append(file.read())
            return contents
        expected = states('spmv', 'kernel-%d.traceg')
        for source in (('spmv.packed', 'kernel-%d'), ('spmv.packed', 'kernel-mem-%d'), ('mem', 'kernel-mem-%d.traceg'),
                       ('mem.packed', 'kernel-mem-%d')):
            self.assertEqual(states(*source), expected, source)
        self.assertNotEqual(states('old', 'kernel-mem-%d.traceg'), expected)

    def test_nothing_measured(self):
        """A workload of memory-only traces is all warm-up, and the run says so."""
        note = 'no launch is measured'
        self.hearth('trace', 'memonly', self.path('w'), '-o', self.path('only'))
        self.assertIn(note, self.hearth('run', self.path('only'), '-o', self.path('r')).stderr)
        self.assertEqual({r['role'] for r in self.rows('r')}, {'warm'})
        self.assertNotIn(note, self.hearth('run', self.path('w'), '-o', self.path('s')).stderr)

    def test_memory_replay(self):
        rows = self.run_ok(self.plan('!step role=warm kind=memory', self.names[1], self.names[3]))
        self.assertEqual([(r['role'], r['mode']) for r in rows], [('warm', 'memory'), ('measure', 'detailed')])
        detailed = self.run_ok(self.plan('!step role=warm kind=detailed', self.names[1], self.names[3]), out='detailed')
        self.assertEqual(int(rows[0]['warp_insts']), int(detailed[0]['warp_insts']) - 8 * 8)   # no additions
        for name in ('l1d_accesses', 'l2_reads', 'dram_reads'):
            self.assertEqual(rows[0][name], detailed[0][name])
        self.assertEqual(rows[1]['l2_read_hits'], detailed[1]['l2_read_hits'])
        self.assertEqual(rows[1]['dram_reads'], '0')
        totals = self.json('stats.json')['totals']
        self.assertEqual(totals['warm_warp_insts']['value'], int(rows[0]['warp_insts']))
        self.assertEqual(totals['warm_sectors']['value'], int(rows[0]['l1d_accesses']) + int(rows[0]['l2_reads']))
        run = self.json('run.json')
        self.assertGreater(run['warm_seconds'] + run['measure_seconds'], 0)

    def test_states_in_files(self):
        """Restored in another segment, run or folder: the same as having run."""
        os.mkdir(self.path('w', 'states'))
        first = self.run_ok(self.plan(self.names[0], '!save file=states/one.l2', self.names[1],
                                      '!segment name=again', '!restore file=states/one.l2', self.names[1]))
        self.assertEqual(os.listdir(self.path('w', 'states')), ['one.l2'])
        changing = ('start_cycle', 'end_cycle', 'gap_cycles', 'restored_sectors')
        drams = tuple(k for k in first[0] if k.startswith('dram_'))    # writes of the first go on in the gap
        self.assertEqual(without(first[1], *changing, *drams), without(first[2], *changing, *drams))
        self.assertEqual(first[2]['dram_reads'], '0')
        other = self.run_ok(self.plan('!workload path=../w', '!restore file=../w/states/one.l2', self.names[1],
                                      name='other/b.plan'), '--allow-outside', out='b')
        self.assertEqual(without(other[0]), without(first[2]))
        again = self.run_ok(self.path('b', 'plan.out'), '--allow-outside', out='again')
        self.assertEqual(again, other)

    def test_jobs_wait_for_states(self):
        plan = self.plan(self.names[0], '!save file=one.l2', *[line for n in range(6) for line in
                         ('!segment name=%d' % n, '!restore file=one.l2', self.names[1])])
        rows = self.run_ok(plan, '--jobs', '4', '--threads', '1')
        os.unlink(self.path('w', 'one.l2'))
        self.assertEqual(self.run_ok(plan, out='one'), rows)
        self.assertEqual({r['dram_reads'] for r in rows[1:]}, {'0'})

    def test_states_with_other_homes(self):
        """Of lines in the halves of L2: another draw maps them to other slices."""
        self.run_ok(self.plan(self.names[0], '!save file=one.l2'), '-c', 'h100')
        plan = self.plan('!restore file=one.l2', self.names[1])
        self.run_ok(plan, '-c', 'h100', out='same')
        for option in ('hearth_l2_half_seed=2', 'hearth_l2_half_bits=none'):
            self.fails(2, 'w/one.l2: the state belongs to another configuration: its L2 maps addresses differently',
                       'run', plan, '-c', 'h100', '--set', option, '-q', '-o', self.path('bad'))

    def test_bad_states(self):
        self.run_ok(self.plan(self.names[0], '!save file=one.l2'))
        with open(self.path('w', 'one.l2'), 'rb') as f:
            good = f.read()
        plan = self.plan('!restore file=one.l2', self.names[1])
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 1
        for content, why in ((b'', 'the file is not a state of L2'), (b'kernel-1.traceg\n', 'the file is not a state of L2'),
                             (good[:len(good) // 2], 'the file is truncated'), (good[:-1], 'the file is truncated'),
                             (bytes(flipped), 'the state is damaged: its checksum differs'),
                             (good[:8] + b'\2' + good[9:-16], 'the state of L2 has format version 2, but this program reads '
                              'versions 3 to 7: save it again')):
            self.write('w/one.l2', content)
            self.fails(3, 'w/one.l2: ' + why, 'run', plan, '-q', '-o', self.path('bad'))
        self.write('w/one.l2', good)
        self.fails(2, 'w/one.l2: the state belongs to another configuration: its L2 has 32 slices, not 64', 'run', plan,
                   '-c', 'qv100', '-q', '-o', self.path('bad'))
        self.fails(2, 'w/one.l2: the state belongs to another configuration: its L2 maps addresses differently',
                   'run', plan, '--set', 'gpgpu_memory_partition_indexing=0', '-q', '-o', self.path('bad'))
        os.unlink(self.path('w', 'one.l2'))
        self.fails(3, 'w/one.l2: there is no such state: states of a plan lie in PLAN.states beside it; copy them with it, or make '
                   'both again with hearth warm', 'run', plan, '-q', '-o', self.path('bad'))
        for make in (lambda name: os.symlink('/dev/zero', name), os.mkfifo, os.mkdir):
            make(self.path('w/one.l2'))
            self.fails(3, 'w/one.l2: is no file: states are read from files', 'run', plan, '--allow-outside', '-q', '-o',
                       self.path('bad'))
            (os.rmdir if make is os.mkdir else os.unlink)(self.path('w/one.l2'))
        self.fails(4, 'kernelslist.g/x.l2', 'run', self.plan(self.names[0], '!save file=kernelslist.g/x.l2'),
                   '-q', '-o', self.path('bad'))

    def test_prime(self):
        def body(block):
            return loads(self.BASE, 16384)(block)
        self.write('w/kernel-1.traceg', kernel('k1', 1, body, blocks=8))
        whole = self.run_ok(self.plan(self.names[0]))[0]
        rows = self.run_ok(self.plan('!step role=measure prime=50', self.names[0]), out='prime')
        row, primed = rows[0], int(rows[0]['primed_warp_insts'])
        self.assertGreater(primed, int(whole['warp_insts']) // 2 - 1)
        self.assertEqual(primed + int(row['warp_insts']), int(whole['warp_insts']))
        self.assertEqual(row['end_cycle'], whole['end_cycle'])
        self.assertLess(int(row['cycles']), int(whole['cycles']))
        scale = int(whole['warp_insts']) / int(row['warp_insts'])
        about = self.json('stats.json', 'prime')['extrapolated']
        self.assertEqual(about['no_error_bar'], 'of launches only a part was measured')
        # The launch latency passes once, and is not part of what is measured.
        latency = int(re.search('(?m)^-gpgpu_kernel_launch_latency (\\d+)', self.text('prime', 'config.out')).group(1))
        self.assertGreater(latency, 1000)
        self.assertLess(int(row['cycles']), int(whole['cycles']) - latency)
        self.assertAlmostEqual(about['statistics']['cycles']['value'], latency + scale * int(row['cycles']), delta=1)
        self.assertAlmostEqual(about['statistics']['cycles']['value'], int(whole['cycles']), delta=0.1 * int(whole['cycles']))
        self.assertEqual(about['statistics']['warp_insts']['value'], int(whole['warp_insts']))

    def test_prime_of_a_short_launch(self):
        """One stretch is all launch latency, the next has all instructions: all of it is measured, and the latency."""
        self.write('w/kernel-4.traceg', kernel('k4', 4, loads(self.BASE, 128)))
        whole = self.run_ok(self.plan(self.names[3]))[0]
        row = self.run_ok(self.plan('!step role=measure prime=1', self.names[3]), '--intervals', '4000', out='prime')[0]
        self.assertEqual(row['primed_warp_insts'], '0')
        self.assertEqual(row['cycles'], whole['cycles'])


class Policies(Warm):
    def steps(self, policy, *arguments, code=0):
        self.hearth('warm', *(arguments or (self.path('w'),)), '--warm', policy, '-f', '-o', self.path('made.plan'))
        lines = self.text('made.plan').splitlines()
        self.assertEqual(lines[0], '!plan 1')
        self.assertIn('!warm policy=' + policy, lines)
        return [line for line in lines[3:]]

    def warm(self, kind, n):
        return ['!step role=warm kind=' + kind, self.names[n - 1]]

    def test_none(self):
        self.assertEqual(self.steps('none'), [line for n in range(1, 5) for line in
                                              ('!segment name=launch-%d' % n, self.names[n - 1])])

    def test_reach(self):
        for kind in ('memory', 'functional'):
            self.assertEqual(self.steps(kind + ':1')[-4:], ['!segment name=launch-4', *self.warm(kind, 3), self.names[3]])
            self.assertEqual(self.steps(kind + ':all')[-8:],
                             ['!segment name=launch-4', *self.warm(kind, 1), *self.warm(kind, 2), *self.warm(kind, 3),
                              self.names[3]])
            self.assertEqual(self.steps(kind + ':0'), self.steps('none'))

    def test_auto(self):
        """2 needs 1; 3 needs nobody; 4 needs 2, two launches back. In an L2 of 16 lines 3 has pushed all out: what 4
        brings pushes out 3's."""
        steps = self.steps('functional:auto')
        self.assertEqual(steps[2:], ['!segment name=launch-2', *self.warm('functional', 1), self.names[1],
                                     '!segment name=launch-3', self.names[2],
                                     '!segment name=launch-4', *self.warm('functional', 2),
                                     *self.warm('functional', 3), self.names[3]])
        small = self.steps('functional:auto', self.path('w'), '--set', 'gpgpu_n_mem=1', '--set',
                           'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                           'gpgpu_cache:dl2=S:1:128:16,L:B:m:L:L,A:192:4,32:0,32')
        self.assertEqual(small[-4:], ['!segment name=launch-4', *self.warm('functional', 3), self.names[3]])

    def test_auto_fills_sets(self):
        """Five launches of 64 lines each in an L2 of 64: 4 alone leaves sets that are not full, 3 and 4 do not; the one
        set of another L2 is full behind 4."""
        for n in range(1, 6):
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, loads(self.BASE + n * 8192), blocks=8))
        names = ['kernel-%d.traceg' % n for n in range(1, 6)]
        self.write('w/kernelslist.g', '\n'.join(names) + '\n')
        for cache, launches in (('S:4:128:16', (3, 4)), ('S:1:128:64', (4,))):
            steps = self.steps('functional:auto', self.path('w'), '--set', 'gpgpu_n_mem=1', '--set',
                               'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                               'gpgpu_cache:dl2=%s,L:B:m:L:L,A:192:4,32:0,32' % cache)
            warm = [line for n in launches for line in self.warm('functional', n)]
            self.assertEqual(steps[-len(warm) - 2:], ['!segment name=launch-5', *warm, names[4]])

    def test_auto_reaches_code(self):
        """4 shares no data with others, but has the name of 2: where instructions are cached, it finds them there."""
        for n, name in enumerate(('a', 'b', 'a', 'b'), 1):
            self.write('w/kernel-%d.traceg' % n, kernel(name, n, loads(self.BASE + n * 8192)))
        cold = self.steps('functional:auto')
        self.assertEqual(cold[-2:], ['!segment name=launch-4', self.names[3]])
        code = self.steps('functional:auto', self.path('w'), '--set', 'hearth_core=modern', '--set', 'hearth_icache=1')
        self.assertEqual(code[-6:], ['!segment name=launch-4', *self.warm('functional', 2), *self.warm('functional', 3),
                                     self.names[3]])

    def test_auto_counts_back(self):
        """Launches that share lines with the one before alone, in an L2 of one set of 64 lines: the fewest that fill
        it, counted one by one."""
        chance, ranges, at, fresh = random.Random(3), [], 0, 0
        for _ in range(40):
            shared = chance.randint(0, fresh)
            fresh = chance.randint(1, 40)
            ranges.append(range(at - shared, at + fresh))
            at += fresh
        names = ['kernel-%d.traceg' % n for n in range(1, len(ranges) + 1)]
        for n, lines in enumerate(ranges, 1):
            body = ['ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0' % (self.BASE + 128 * line) for line in lines]
            self.write('w/' + names[n - 1], kernel('k%d' % n, n, lambda block: body + ['ffffffff 0 EXIT 0 0 0'], blocks=1))
        self.write('w/kernelslist.g', '\n'.join(names) + '\n')
        steps = '\n'.join(self.steps('functional:auto', self.path('w'), '--set', 'gpgpu_n_mem=1', '--set',
                                     'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                                     'gpgpu_cache:dl2=S:1:128:64,L:B:m:L:L,A:192:4,32:0,32'))
        replayed = [segment.count('role=warm') for segment in steps.split('!segment')[1:]]
        far = 0
        for i, count in enumerate(replayed):
            touched, back = set(), 0
            if ranges[i].stop > 64:
                while back < i and len(touched) < 64:
                    back += 1
                    touched |= set(ranges[i - back])
            elif i > 0 and set(ranges[i]) & set(ranges[i - 1]):
                back = 1
            self.assertEqual(count, back, i + 1)
            far = max(far, back)
        self.assertGreater(far, 3)

    def replayed(self, policy, *arguments):
        """How many launches each measured launch goes back."""
        steps = '\n'.join(self.steps(policy, self.path('w'), *arguments))
        return [segment.count('role=warm') for segment in steps.split('!segment')[1:]]

    def test_auto_after_state(self):
        """After a state, auto goes back to the last use of the oldest line but one of sets in which lines were replaced,
        and one launch more."""
        small = ('--set', 'gpgpu_n_mem=1', '--set', 'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                 'gpgpu_cache:dl2=S:1:128:64,L:B:m:L:L,A:192:4,32:0,32')
        # The oldest two lines and the launches that used them, before 3: 0 and 1 (1, 1); before 4: 1 and 2 (1, 1); before
        # 5: 36 and 37 (2, 2); before 6: 63 and 64 (2, 4); before 7: 64 and 65 (4, 4). 5 and 7 use what could have been
        # replaced, 8 does not.
        ranges = (range(0, 40), range(20, 64), range(64, 65), range(64, 100), range(36, 63), range(0, 1),
                  range(0, 1), range(0, 1))
        names = ['kernel-%d.traceg' % n for n in range(1, len(ranges) + 1)]
        for n, lines in enumerate(ranges, 1):
            body = ['ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0' % (self.BASE + 128 * line) for line in lines]
            self.write('w/' + names[n - 1], kernel('k%d' % n, n, lambda block: body + ['ffffffff 0 EXIT 0 0 0'], blocks=1))
        self.write('w/kernelslist.g', '\n'.join(names) + '\n')

        def replayed(*arguments, policy='checkpoint+detailed:auto'):
            steps = '\n'.join(self.steps(policy, self.path('w'), *arguments)).split('!segment name=launch')[1:]
            return [s.count('kind=' + policy.split('+')[1].split(':')[0]) for s in steps]
        self.assertEqual(replayed(*small), [0, 0, 2, 3, 4, 3, 4, 0])
        self.assertEqual(replayed(*small, policy='checkpoint+memory:auto'), [0, 0, 2, 3, 4, 3, 4, 0])
        self.assertEqual(replayed(*small, policy='checkpoint+detailed:auto:50'), [0, 0, 2, 3, 4, 3, 4, 0])    # one set
        self.assertEqual(replayed(), [0] * 8)       # L2 holds all
        self.assertEqual(replayed(*small, '--set', 'gpgpu_flush_l2_cache=1'), [0] * 8)
        self.write('small.config', ''.join('-%s %s\n' % tuple(option.split('=')) for option in small[1::2]))
        self.fails(2, 'known of LRU only', 'warm', self.path('w'), '--warm', 'checkpoint+detailed:auto', '-o', self.path('bad'),
                   *small[:-1], small[-1].replace(',L:B', ',F:B'))
        self.assertEqual(replayed(*small, '--now'), [0, 0, 2, 3, 4, 3, 4, 0])
        self.assertEqual(replayed('--variant', self.path('small.config')), [0] * 8)
        with open(self.path('made.plan.1')) as f:
            steps = f.read().split('!segment name=launch')[1:]
        self.assertEqual([s.count('kind=detailed') for s in steps], [0, 0, 2, 3, 4, 3, 4, 0])
        self.assertEqual(sorted(os.listdir(self.path('made.plan.1.states'))), ['launch-2.l2', 'launch-3.l2', 'launch-8.l2'])
        self.assertEqual(sorted(os.listdir(self.path('made.plan.states'))), ['launch-%d.l2' % n for n in range(2, 9)])

    def test_mrrl(self):
        """Launch 4 refers 30 times to lines that it has touched itself, 60 times to those of 3 and 10 times to those
        of 1; what it reads of nobody has no latency. L2's size does not matter."""
        own, near, far = (self.BASE + at * 65536 for at in range(3))
        line = 'ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0'
        bodies = [[far + 128 * i for i in range(10)], [self.OTHER], [near + 128 * i for i in range(60)],
                  [own] * 31 + [near + 128 * i for i in range(60)] + [far + 128 * i for i in range(10)]]
        for n, addresses in enumerate(bodies, 1):
            body = [line % at for at in addresses] + ['ffffffff 0 EXIT 0 0 0']
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, lambda block: body, blocks=1))
        small = ('--set', 'gpgpu_n_mem=1', '--set', 'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                 'gpgpu_cache:dl2=S:1:128:16,L:B:m:L:L,A:192:4,32:0,32')
        for policy, back in (('mrrl', 3), ('mrrl:91', 3), ('mrrl:89', 1), ('mrrl:31', 1), ('mrrl:29', 0)):
            for cache in ((), small):
                self.assertEqual(self.replayed(policy, *cache), [0, 0, 0, back], policy)
        self.assertIn('!step role=warm kind=functional', self.steps('mrrl'))
        self.assertEqual(self.replayed('functional:auto:91', *small)[3], 1) # what filled L2, which lost the rest
        self.fails(2, 'a percentile above 0, at most 100, after mrrl:', 'warm', self.path('w'), '--warm', 'mrrl:0',
                   '-o', self.path('bad'))

    def test_mse(self):
        """As many launches as fill the one set of an L2 of 64 lines, whatever the launch reads."""
        lines = (30, 40, 20, 30, 20, 64, 10)
        for n, count in enumerate(lines, 1):
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, loads(self.BASE + n * 65536, 128), blocks=count))
        names = ['kernel-%d.traceg' % n for n in range(1, len(lines) + 1)]
        self.write('w/kernelslist.g', '\n'.join(names) + '\n')
        cache = ('--set', 'gpgpu_n_mem=1', '--set', 'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                 'gpgpu_cache:dl2=S:1:128:64,L:B:m:L:L,A:192:4,32:0,32')
        self.assertEqual(self.replayed('mse', *cache), [0, 1, 2, 3, 3, 3, 1])
        self.fails(2, 'expected none, full, detailed:K, memory:K, functional:K, mrrl[:PERCENTILE], mse[:PERCENTILE], ',
                   'warm', self.path('w'), '--warm', 'checkpoint+mse', '-o', self.path('bad'))

    def test_wood(self):
        """In an L2 of one set of 64 lines, which a launch finds empty. What replaces nothing was there: 2 hits, though
        nobody has touched its lines. 3 reads each line once, its four sectors one after the other: frames are live for 3
        of 256 references, and one of 64 lines was there. The lines that 4 reads twice are live for 259, and dead for 253
        until others replace them: about a half was there. Copies are known."""
        line = 'ffffffff 1 R8 LDG.E.STRONG.GPU 1 R4 4 1 0x%x 4 0'
        lines = [[10], range(20), range(200), [*range(64)] * 2 + [*range(64, 128)], range(8)]
        for n, numbers in enumerate(lines, 1):
            body = [line % (self.BASE + 65536 * n + 128 * at) for at in numbers] + ['ffffffff 0 EXIT 0 0 0']
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, lambda block: body, blocks=1))
        names = ['kernel-%d.traceg' % n for n in range(1, 6)]
        copy = 'MemcpyHtoD,0x%016x,%d' % (self.BASE + 65536 * 9, 128 * 64)  # which fills L2
        self.write('w/kernelslist.g', '\n'.join(names[:4] + [copy] + names[4:]) + '\n')
        cache = ('--set', 'gpgpu_n_mem=1', '--set', 'gpgpu_n_sub_partition_per_mchannel=1', '--set',
                 'gpgpu_cache:dl2=S:1:128:64,L:B:m:L:L,A:192:4,32:0,32')
        self.assertEqual(self.steps('wood', self.path('w'), *cache)[-3:],
                         ['!segment name=launch-5', '!restore file=made.plan.states/launch-5.l2', names[4]])
        rows = self.run_ok(self.path('w'), '--warm', 'wood', *cache)
        self.assertEqual([r['restored_sectors'] for r in rows[:3]], ['0', '80', '4'])
        self.assertEqual([r['l2_read_misses'] != '0' for r in rows[:3]], [True, False, True])
        self.assertEqual([r['mode'] for r in rows], ['detailed'] * 5)
        half = int(rows[3]['restored_sectors']) // 4
        self.assertTrue(16 <= half <= 48, half)
        self.assertEqual(rows[4]['restored_sectors'], '256')
        self.assertEqual(int(rows[4]['dram_reads']), 32)
        self.fails(2, 'are of policy nsl, not wood', 'warm', self.path('w'), '--warm', 'wood', '--states',
                   self.path('w'), '-o', self.path('bad'))
        self.fails(2, 'expected none, full', 'warm', self.path('w'), '--warm', 'wood+memory:1', '-o', self.path('bad'))

    def test_measured_twice_and_backwards(self):
        """Each is found, wherever it stands in the plan: the same warm-up and the same correction."""
        once = self.steps('functional:auto')
        plan = self.plan(*(self.names[n] for n in (3, 1, 3, 0)))
        again = '\n'.join(self.steps('functional:auto', plan)).split('!segment ')[1:]
        segments = '\n'.join(once).split('!segment ')[1:]
        self.assertEqual([s.strip() for s in again], [segments[n].strip() for n in (3, 1, 3, 0)])
        self.run_ok(self.path('w'), '--warm', 'correction:thesis', out='all')
        self.run_ok(plan, '--warm', 'correction:thesis', out='some')
        lines = [line.split(',', 1)[1] for line in self.text('all', 'correction.csv').splitlines()[1:]]
        self.assertEqual([line.split(',', 1)[1] for line in self.text('some', 'correction.csv').splitlines()[1:]],
                         [lines[n] for n in (3, 1, 3, 0)])

    def test_auto_of_parts(self):
        """2 writes every other word of what 1 has read: 3 finds that whole behind both alone."""
        def halves(block):
            return ['ffffffff 0 STG.E 2 R6 R9 4 1 0x%x 8 0' % (self.BASE + block * 1024 + at)
                    for at in range(0, 1024, 256)] + ['ffffffff 0 EXIT 0 0 0']
        for n, body in enumerate((loads(self.BASE), halves, loads(self.BASE)), 1):
            self.write('w/kernel-%d.traceg' % n, kernel('k%d' % n, n, body, blocks=8))
        self.write('w/kernelslist.g', '\n'.join(self.names[:3]) + '\n')
        self.assertEqual(self.steps('functional:auto')[6:], ['!segment name=launch-3', *self.warm('functional', 1),
                                                             *self.warm('functional', 2), self.names[2]])
        reads = {policy: self.run_ok(self.path('w'), '--warm', policy, '--launches', '3', out=policy)[-1]['dram_reads']
                 for policy in ('full', 'functional:auto', 'functional:1', 'nsl')}
        self.assertEqual([reads[p] for p in ('full', 'functional:auto', 'nsl')], ['0', '0', '0'])
        self.assertNotEqual(reads['functional:1'], '0')

    def test_prime_adds_to_what_made_the_plan(self):
        for before, policy, after in ((None, 'prime:5', 'prime:5'), ('none', 'prime:5', 'none+prime:5'),
                                      ('functional:1+prime:10', 'prime:5', 'functional:1+prime:5'),
                                      ('checkpoint+memory:1+prime:1', 'prime:5', 'checkpoint+memory:1+prime:5'),
                                      ('prime:10', 'prime:5', 'prime:5'), ('prime:10', 'none', 'none'),
                                      ('correction:thesis', 'prime:5', 'none+prime:5')):
            plan = self.plan(*(['!warm policy=' + before] if before else []), self.names[1])
            self.hearth('warm', plan, '--warm', policy, '-f', '-o', self.path('made.plan'))
            self.assertIn('!warm policy=' + after, self.text('made.plan').splitlines())
        self.run_ok(self.plan('!warm policy=none', self.names[1]), '--warm', 'prime:5')
        self.assertEqual(self.json('stats.json')['warm_policy'], 'none+prime:5')

    def test_what_is_no_file_stays(self):
        pipe = self.path('pipe.packed')
        os.mkfifo(pipe)
        said = 'pipe.packed: it exists and is no regular file'
        self.fails(4, said, 'warm', self.path('w'), '--warm', 'none', '-f', '-o', pipe)
        self.fails(4, said, 'warm', self.path('w'), '--warm', 'none', '-o', pipe)
        self.fails(4, said, 'run', self.plan(self.names[0], '!save file=' + pipe), '--allow-outside', '-q', '-o',
                   self.path('bad'))
        self.fails(4, said, 'trace', 'convert', self.path('w'), '--force', '-o', pipe)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.fails(4, '/w: it exists and is no regular file', 'warm', self.path('w'), '--warm', 'none', '-f', '-o',
                   self.path('w'))

    def test_sampled_plan(self):
        """Scales stay, copies in front of launches that are replayed come back, other warm-up goes."""
        copies = ['MemcpyHtoD,0x%016x,256' % (self.OTHER + n) for n in (0, 4096)]
        self.write('w/kernelslist.g', '\n'.join([copies[0], *self.names[:2], copies[1], *self.names[2:]]) + '\n')
        plan = self.plan('!method name=sieve', '!step role=warm kind=detailed', self.names[0], '!segment name=old',
                         '!step role=measure scale=3 stratum=A stands=1,2', self.names[3])
        measured = ['!step role=measure scale=3 stratum=A stands=1,2', self.names[3]]
        self.assertEqual(self.steps('memory:1', plan), ['!warm policy=memory:1', '!segment name=launch-4',
                                                        copies[1], *self.warm('memory', 3), *measured])
        self.assertEqual(self.steps('memory:2', plan)[-7:], [*self.warm('memory', 2), copies[1],
                                                             *self.warm('memory', 3), *measured])
        self.assertEqual(self.steps('full', plan)[1:], ['!segment name=launch-4', copies[0], *self.warm('detailed', 1),
                                                        *self.warm('detailed', 2), copies[1],
                                                        *self.warm('detailed', 3), *measured])
        self.assertEqual(self.steps('stitch', plan)[1:], ['!segment name=launch-4', *copies, *measured])
        measured[0] += ' prime=5'
        self.assertEqual(self.steps('none+prime:5', plan)[-2:], measured)
        self.assertEqual(self.steps('prime:5', plan)[1:], [*self.warm('detailed', 1), '!segment name=old', *measured])

    def test_checkpoint(self):
        rows = self.run_ok(self.path('w'), '--warm', 'checkpoint', '--jobs', '2', '--threads', '1')
        self.assertEqual([(r['role'], r['launch']) for r in rows],
                         [('warm', '1'), ('warm', '2'), ('warm', '3')] + [('measure', str(n)) for n in range(1, 5)])
        self.assertEqual({r['mode'] for r in rows[:3]}, {'functional'})
        again = self.run_ok(self.path('w'), '--warm', 'functional:all', out='all')
        changing = ('segment', 'start_cycle', 'end_cycle', 'gap_cycles', 'restored_sectors')
        measured = [[without(r, *changing) for r in of if r['role'] == 'measure'] for of in (rows, again)]
        self.assertEqual(*measured)
        self.hearth('warm', self.path('w'), '--warm', 'checkpoint', '-o', self.path('c.plan'))
        from_plan = self.run_ok(self.path('c.plan'), out='plan')
        self.assertEqual([without(r, 'segment') for r in from_plan], [without(r, 'segment') for r in rows])
        self.assertEqual(len(os.listdir(self.path('c.plan.states'))), 3)   # in front of the first there is none

    def test_behind_checkpoint(self):
        """Launches that are replayed behind a state: as behind all functional launches, and the same of variants."""
        copy = 'MemcpyHtoD,0x%016x,256' % self.OTHER
        self.write('w/kernelslist.g', '\n'.join(self.names[:3] + [copy, self.names[3]]) + '\n')
        plan = self.plan(self.names[3], self.names[1], self.names[3])
        restored, last = '!restore file=made.plan.states/launch-%d.l2', [copy, self.names[3]]
        of = {2: ['!segment name=launch-2', *self.warm('memory', 1), self.names[1]],
              4: ['!segment name=launch-4', restored % 2, *self.warm('memory', 2), *self.warm('memory', 3), *last]}
        lines = self.steps('checkpoint+memory:2', plan)
        self.assertEqual(lines, ['!segment name=states', *self.warm('functional', 1),
                                 '!save file=made.plan.states/launch-2.l2', *of[4], *of[2], *of[4]])
        self.assertEqual(self.steps('checkpoint+memory:2', plan, '--variant', 'gpgpu_n_mem=4'), of[4] + of[2] + of[4])
        self.assertEqual(os.listdir(self.path('made.plan.1.states')), ['launch-2.l2'])
        for kind in ('memory', 'detailed'):
            rows = self.run_ok(plan, '--warm', 'checkpoint+%s:1' % kind, out=kind)
            by_hand = self.plan(*self.warm('functional', 1), *self.warm('functional', 2), *self.warm(kind, 3), *last,
                                name='w/hand.plan')
            again = self.run_ok(by_hand, out='hand')
            changing = ('step', 'segment', 'start_cycle', 'end_cycle', 'gap_cycles', 'restored_sectors')
            measured = [r for r in rows if r['role'] == 'measure']
            self.assertEqual([r['launch'] for r in measured], ['4', '2', '4'])
            self.assertEqual(without(measured[0], *changing), without(again[-1], *changing))
            self.assertEqual(without(measured[0], *changing), without(measured[2], *changing))
            total = self.json('stats.json', kind)['totals']['restored_sectors']['value']
            self.assertEqual(total, sum(int(r['restored_sectors']) for r in rows))
            self.assertGreater(total, 0)
        for policy, said in (('checkpoint+functional:1', 'none, full, detailed:K'), ('nsl+memory:1', 'none, full, detailed:K'),
                             ('memory:1+checkpoint', 'none, full, detailed:K'), ('stitch+detailed:1', 'none, full, detailed:K'),
                             ('checkpoint+memory:all', 'a number of launches up to 1000000 or auto at its end'),
                             ('checkpoint+memory:auto:0', 'a percentile above 0, at most 100, after auto:'),
                             ('checkpoint+memory:', 'a number of launches up to 1000000'),
                             ('checkpoint+memory:1.0', 'a number of launches up to 1000000'),
                             ('checkpoint+memory', 'a number of launches up to 1000000'),
                             ('checkpoint+memory:1+detailed:1', 'none, full, detailed:K')):
            self.fails(2, 'warm-up "%s": expected %s' % (policy, said), 'warm', plan, '--warm', policy, '-f', '-o',
                       self.path('made.plan'))

    def test_as_full(self):
        """Launches in detail as far as the first one are what full has in front; none are what the rest is alone."""
        changing = ('step', 'segment', 'start_cycle', 'end_cycle', 'gap_cycles', 'restored_sectors')

        def run(policy, *arguments):
            rows = self.run_ok(demo('oceanfft'), '--warm', policy, '--launches', '1-6', *arguments, out='out')
            return [without(r, *changing) for r in rows if r['role'] == 'measure']
        full = run('full')
        for policy in ('detailed:all', 'detailed:9', 'checkpoint+detailed:9'):
            self.assertEqual(run(policy), full, policy)
        self.assertEqual(run('detailed:0'), run('none'))
        self.assertEqual(run('checkpoint+memory:0'), run('checkpoint'))
        flushed = [(r['dram_reads'], r['dram_writes']) for r in run('full', '--flush', 'l2')]
        for policy in ('functional:2', 'functional:all', 'checkpoint', 'nsl', 'checkpoint+memory:1',
                       'checkpoint+detailed:2'):
            rows = run(policy, '--flush', 'l2')
            self.assertEqual([(r['dram_reads'], r['dram_writes']) for r in rows], flushed, policy)
            self.assertEqual(rows[0], run('full', '--flush', 'l2')[0])

    def test_auto_orders(self):
        """Where L2 evicts, states leave many launches inexact in phase, and auto few or none."""
        def run(policy):
            rows = self.run_ok(demo('oceanfft'), '-c', 'a100', '--launches', '1-30', '--warm', policy, '--set',
                               'gpgpu_cache:dl2=S:1:128:16,L:B:m:L:P,A:192:4,32:0,32', '--set', 'hearth_start_phase=1',
                               '--set', 'gpgpu_kernel_launch_latency=0', out='out')
            return [r['cycles'] for r in rows if r['role'] == 'measure']
        full = run('full')
        off = [sum(a != b for a, b in zip(full, run(policy))) for policy in ('checkpoint', 'checkpoint+detailed:auto')]
        self.assertGreater(off[0], 8)
        self.assertLess(4 * off[1], off[0])

    def test_what_is_there_stays(self):
        """A plan that fails to be made leaves the one that is there, and what its states need."""
        plan = self.path('k.plan')
        self.hearth('warm', self.path('w'), '--warm', 'checkpoint', '-o', plan, '-q')
        self.fails(2, 'the configuration has no L2', 'warm', self.path('w'), '--warm', 'nsl', '-f', '-o', plan, '-q', '--variant',
                   'gpgpu_cache:dl2=none')
        self.run_ok(plan)
        self.write('y.plan.states', '')
        self.fails(4, 'y.plan.states: exists and is no folder', 'warm', self.path('w'), '--warm', 'checkpoint', '-o',
                   self.path('y.plan'))
        self.assertFalse(os.path.exists(self.path('y.plan')))
        self.hearth('warm', self.path('w'), '--warm', 'functional:auto:99.' + '9' * 105, '-f', '-o', plan, '-q')
        self.fails(2, 'is longer than plans can have it', 'warm', plan, '--warm', 'prime:5', '-o', self.path('z.plan'))

    def test_nsl(self):
        """What is left of a state is as good as the whole state: to the cycle, and in every counter."""
        small = ('--set', 'gpgpu_n_mem=1', '--set', 'gpgpu_n_sub_partition_per_mchannel=2', '--set')
        for n, sets in enumerate(((), small + ('gpgpu_cache:dl2=S:4:128:4,L:B:m:L:P,A:192:4,32:0,32',),
                                  small + ('gpgpu_cache:dl2=S:64:128:8,L:B:m:L:P,A:192:4,32:0,32',))):
            for workload in (self.path('w'), demo('solver')):
                chosen = () if workload == self.path('w') else ('--launches', '1-40,250')
                whole, part = ([r for r in self.run_ok(workload, '--warm', policy, *chosen, *sets, out=policy + str(n))
                                if r['role'] == 'measure'] for policy in ('checkpoint', 'nsl'))
                self.assertEqual([without(r, 'restored_sectors') for r in whole],
                                 [without(r, 'restored_sectors') for r in part])
                self.assertFalse(any(int(a['restored_sectors']) < int(b['restored_sectors'])
                                     for a, b in zip(whole, part)))
                total = self.json('stats.json', 'nsl' + str(n))['totals']['restored_sectors']['value']
                self.assertEqual(total, sum(int(r['restored_sectors']) for r in part))
                if chosen and not sets:
                    self.run_ok(workload, '--warm', 'functional:auto', *chosen, out='auto')
                    replayed = self.json('stats.json', 'auto')['totals']['warm_sectors']['value']
                    self.assertLess(10 * total, replayed)

    def test_nsl_leaves_out(self):
        """Launch 3 shares nothing with 1 and 2, and there is room for all: nothing of them matters. 4 wants what 1
        wrote, and not what 3 read. A plan has the same in it from run to run."""
        rows = self.run_ok(self.path('w'), '--warm', 'nsl')
        self.assertEqual([r['restored_sectors'] for r in rows], ['0', '256', '0', '256'])
        self.assertEqual(self.steps('nsl')[:5], ['!segment name=launch-1', self.names[0], '!segment name=launch-2',
                                                 '!restore file=made.plan.states/launch-2.l2', self.names[1]])
        states = {n: self.bytes('made.plan.states', n) for n in os.listdir(self.path('made.plan.states'))}
        self.assertEqual(len(states), 3)
        self.steps('nsl')
        for name, content in states.items():
            self.assertEqual(self.bytes('made.plan.states', name), content)
        self.fails(2, 'belongs to another configuration', 'run', self.path('made.plan'), '-c', 'qv100', '-q', '-o', self.path('bad'))

    def bytes(self, *names):
        with open(self.path(*names), 'rb') as f:
            return f.read()

    def test_variants(self):
        """One command for several L2s and numbers of SMs: state by state, byte by byte, what a pass for each leaves."""
        option = 'gpgpu_cache:dl2=S:%d:128:%d,L:B:m:L:%s,A:192:4,32:0,32'
        variants = [option % v for v in ((4, 2, 'P'), (1, 16, 'L'), (128, 4, 'X'))] + ['gpgpu_n_mem=4', 'gpgpu_n_clusters=4']
        self.write('more.config', '-gpgpu_n_mem 2\n-gpgpu_n_sub_partition_per_mchannel 1\n')
        arguments = [a for v in variants + [self.path('more.config')] for a in ('--variant', v)]
        for workload in (self.path('w'), demo('solver')):
            for policy in ('checkpoint', 'nsl') if workload == self.path('w') else ('checkpoint',):
                self.hearth('warm', workload, '--warm', policy, *arguments, '-f', '-o', self.path('all.plan'))
                for n, sets in enumerate([()] + [('--set', v) for v in variants] +
                                         [('-c', 'rtx3070', '-c', self.path('more.config'))]):
                    name = 'all.plan.%d' % n if n else 'all.plan'
                    self.hearth('warm', workload, '--warm', policy, *sets, '-f', '-o', self.path('one.plan'))
                    if policy == 'checkpoint' and (n == 2 or workload == self.path('w')):
                        self.run_ok(self.path('one.plan'), *sets, out='one')   # that plan saves them
                    elif policy == 'checkpoint':
                        continue
                    for state in os.listdir(self.path(name + '.states')):
                        self.assertEqual(self.bytes(name + '.states', state), self.bytes('one.plan.states', state))
                    if workload == self.path('w'):
                        rows = self.run_ok(self.path(name), *sets, out='from')
                        self.assertEqual([r['role'] for r in rows], ['measure'] * 4)

    def test_bad_variants(self):
        w, out = self.path('w'), ['-f', '-o', self.path('x.plan')]
        for policy, variant, code, message in (
                ('functional:auto', 'gpgpu_n_mem=4', 2, 'variants need checkpoint, nsl or wood'),
                ('nsl', 'gpgpu_concurrent_kernel_sm=1', 2, 'measures each launch alone'),
                ('nsl', 'gpgpu_n_nem=4', 2, 'gpgpu_n_mem'),
                ('nsl', 'none.config', 2, 'none.config')):
            self.fails(code, message, 'warm', w, '--warm', policy, '--variant', variant, *out)
            self.assertFalse(os.path.exists(self.path('x.plan')))
        self.fails(2, 'at most 15', 'warm', w, '--warm', 'nsl', *['--variant', 'gpgpu_n_mem=4'] * 16, *out)

    def test_run_says_policy_and_cost(self):
        rows = self.run_ok(self.path('w'), '--warm', 'functional:1', '--launches', '4')
        self.assertEqual([(r['role'], r['mode'], r['launch']) for r in rows],
                         [('warm', 'functional', '3'), ('measure', 'detailed', '4')])
        stats = self.json('stats.json')
        self.assertEqual(stats['warm_policy'], 'functional:1')
        self.assertGreater(stats['totals']['warm_sectors']['value'], 0)
        self.assertEqual(self.run_ok(self.path('out', 'plan.out'), out='again'), rows)
        self.assertEqual(self.json('stats.json', 'again')['warm_policy'], 'functional:1')

    def test_disjoint_and_reused(self):
        """Launch 3 shares nothing: cold as warm to the cycle. What 2 reads is in L2 where 1 was replayed."""
        cold, full, warm = (self.run_ok(self.path('w'), '--warm', p, out='p%d' % i)
                            for i, p in enumerate(('none', 'full', 'functional:auto')))
        warm = {r['launch']: r for r in warm if r['role'] == 'measure'}
        self.assertEqual(warm['3']['cycles'], cold[2]['cycles'])
        self.assertNotEqual(cold[1]['dram_reads'], '0')
        for n in ('2', '4'):
            self.assertEqual(warm[n]['dram_reads'], '0')
            self.assertEqual(warm[n]['l2_read_hits'], full[int(n) - 1]['l2_read_hits'])

    def test_errors(self):
        w, out = self.path('w'), ['-o', self.path('x.plan')]
        for policy, message in (('warmer', 'expected none, full, detailed:K, memory:K'), ('memory', 'how many launches'),
                                ('memory:x', 'a number of launches up to 1000000, all or auto'), ('none:1', 'no colon'),
                                ('functional:auto:0', 'a percentile above 0'), ('prime:100', 'below 100'),
                                ('prime: 5', 'a percentage from 0'), ('prime:0x10', 'a percentage from 0'),
                                ('functional: 1', 'a number of launches'), ('memory:0x1', 'a number of launches'),
                                ('none+full', 'expected none, full, '), ('prime:5+prime:5', 'prime:P once'),
                                ('', 'expected none')):
            self.fails(2, message, 'warm', w, '--warm', policy, *out)
            self.fails(2, message, 'run', w, '--warm', policy, '-q', '-o', self.path('bad'))
        self.fails(2, '-o -: the states of checkpoint need a folder', 'warm', w, '--warm', 'checkpoint', '-o', '-')
        self.fails(2, '-o PLAN is missing', 'warm', w, '--warm', 'none')
        self.hearth('warm', w, '--warm', 'none', *out)
        self.assertEqual(self.hearth('warm', w, '--warm', 'none', '-o', '-').stdout, self.text('x.plan'))
        self.assertFalse(os.path.exists(self.path('-')))
        self.fails(4, 'x.plan', 'warm', w, '--warm', 'none', *out)
        self.write('w/kernel-9.traceg', kernel_text('extra', 9))
        self.fails(2, 'test.plan:2: kernel-9.traceg is not in the list of the workload', 'warm',
                   self.plan('kernel-9.traceg'), '--warm', 'none', '-f', *out)


class Correction(Warm):
    """The launches are simulated cold; the factor is of their results."""

    def correct(self, kind, *args, out=None):
        rows = self.run_ok(self.path('w'), '--warm', 'correction:' + kind, *args, out=out or kind)
        with open(self.path(out or kind, 'correction.csv'), newline='') as f:
            return rows, list(csv.DictReader(f))

    def test_cycles_are_those_of_none(self):
        cold = self.run_ok(self.path('w'), '--warm', 'none', out='none')
        self.assertEqual({(r['cycles_corrected'], r['ipc_corrected']) for r in cold}, {('', '')})
        self.assertFalse(os.path.exists(self.path('none', 'correction.csv')))
        for kind in ('thesis', 'artifact'):
            rows, terms = self.correct(kind)
            names = ('cycles_corrected', 'ipc_corrected')
            self.assertEqual([without(r, *names) for r in rows], [without(r, *names) for r in cold])
            for row, term in zip(rows, terms):
                self.assertEqual(term['policy'], 'correction:' + kind)
                self.assertAlmostEqual(float(term['cycles']) - float(term['delta']),
                                       float(term['cycles_corrected']), delta=0.1)
                self.assertEqual(row['cycles_corrected'], '%.0f' % float(term['cycles_corrected']))
                self.assertAlmostEqual(float(row['ipc_corrected']) * float(term['cycles_corrected']),
                                       float(row['thread_insts']), delta=0.01 * float(row['thread_insts']))

    def test_equal_bytes(self):
        """However many threads and jobs there are; CPI stacks beside it change nothing."""
        rows, terms = self.correct('artifact', '--threads', '1')
        self.assertTrue(any(float(t['delta']) > 0 for t in terms))
        for args in (('--threads', '3'), ('--jobs', '4', '--threads', '1'), ('--cpi-stack',)):
            again = self.correct('artifact', *args, out='again')
            self.assertEqual(again[1], terms)
            for name in ('correction.csv',) + (() if '--cpi-stack' in args else ('kernels.csv', 'stats.json', 'plan.out')):
                self.assertEqual(self.text('again', name), self.text('artifact', name))

    def test_terms(self):
        """2 reads all that 1 wrote, 3 nothing of it, and 4 what 1 wrote: 64 lines each."""
        _, terms = self.correct('thesis')
        self.assertEqual([t['accesses'] for t in terms], ['64'] * 4)
        self.assertEqual([t['forward'] for t in terms], ['0', '1', '0', '0'])
        self.assertEqual([float(t['delta']) > 0 for t in terms], [False, True, False, False])

    def test_totals(self):
        """Sums of the launches, and of what they stand for; in the summary, too. None without a correction."""
        rows, terms = self.correct('thesis')
        totals, total = self.json('stats.json', 'thesis')['totals'], sum(float(t['cycles_corrected']) for t in terms)
        self.assertAlmostEqual(totals['cycles_corrected']['value'], total, delta=1)
        self.assertLess(totals['cycles_corrected']['value'], totals['cycles']['value'])
        insts = sum(int(r['thread_insts']) for r in rows)
        self.assertAlmostEqual(totals['ipc_corrected']['value'], insts / total, places=3)
        self.assertNotIn('extrapolated', self.json('stats.json', 'thesis'))
        plan = self.plan('!warm policy="correction:thesis"', '!step role=measure scale=3', self.names[1],
                         '!segment name=b', self.names[3])
        done = self.hearth('run', plan, '-o', self.path('scaled'))
        totals = self.json('stats.json', 'scaled')['totals']
        said = self.json('stats.json', 'scaled')['extrapolated']['statistics']
        expected = sum(s * float(t['cycles_corrected']) for s, t in zip((3, 1), (terms[1], terms[3])))
        insts = sum(s * int(r['thread_insts']) for s, r in zip((3, 1), (rows[1], rows[3])))
        self.assertAlmostEqual(said['cycles_corrected']['value'], expected, delta=1)
        self.assertAlmostEqual(said['ipc_corrected']['value'], insts / expected, places=3)
        self.assertIn('corrected      %d cycles' % totals['cycles_corrected']['value'], done.stdout)
        self.assertIn('  corrected      %d cycles' % said['cycles_corrected']['value'], done.stdout)
        self.assertIn('extrapolated.cycles_corrected %d' % said['cycles_corrected']['value'],
                      self.text('scaled', 'stats.txt'))
        self.assertIn('total.cycles_corrected %d' % totals['cycles_corrected']['value'], self.text('scaled', 'stats.txt'))
        self.run_ok(self.path('w'), '--warm', 'none', out='none')
        self.assertNotIn('cycles_corrected', self.json('stats.json', 'none')['totals'])
        self.run_ok(self.plan('!step role=measure scale=3', self.names[1]), out='cold')
        self.assertNotIn('cycles_corrected', self.json('stats.json', 'cold')['extrapolated']['statistics'])

    def test_samples_need_no_predecessor(self):
        _, terms = self.correct('artifact')
        rows, sampled = self.correct('artifact', '--launches', '2,4', out='some')
        self.assertEqual([r['launch'] for r in rows], ['2', '4'])
        for one, other in zip(sampled, terms[1::2]):
            del one['step'], other['step']
            self.assertEqual(one, other)

    def test_plan_of_it_is_cold(self):
        rows, _ = self.correct('thesis')
        self.assertEqual(self.run_ok(self.path('thesis', 'plan.out'), out='again'), rows)
        self.assertEqual(self.json('stats.json', out='again')['warm_policy'], 'correction:thesis')
        text = self.json('stats.json', out='again')['launches'][0]
        self.assertEqual(text['cycles_corrected'], int(rows[0]['cycles_corrected']))

    def test_never_a_plan(self):
        self.fails(2, 'a correction is applied to results, never to a plan', 'warm', self.path('w'),
                   '--warm', 'correction:thesis', '-o', self.path('x.plan'))
        self.assertFalse(os.path.exists(self.path('x.plan')))
        self.fails(2, 'expected thesis or artifact after the colon', 'run', self.path('w'),
                   '--warm', 'correction:best', '-q', '-o', self.path('bad'))

    def refused(self, message, *lines, options=()):
        plan = self.plan('!warm policy="correction:thesis"', *lines)
        self.fails(2, message, 'run', plan, '-q', '-o', self.path('bad'), *options)
        self.assertFalse(os.path.exists(self.path('bad')))    # before anything is simulated

    def test_launches_off_the_list(self):
        self.write('w/kernel-9.traceg', kernel('k9', 9, loads(self.BASE), blocks=8))
        self.refused('kernel-9.traceg: the launch is not in the list of the workload, so its reuse is unknown',
                     self.names[0], 'kernel-9.traceg')

    def test_only_of_launches_cold_whole_and_alone(self):
        self.run_ok(self.plan(self.names[0], '!save file=one.l2'))
        self.refused('w/one.l2: a correction applies to launches that start cold, not after !restore',
                     '!restore file=one.l2', self.names[1])
        self.refused('kernel-1.traceg: a correction applies to launches that start cold, not after warm-up launches',
                     '!step role=warm kind=functional', self.names[0], self.names[1])
        self.refused('kernel-2.traceg: prime=: a correction applies to launches that are measured from start to end',
                     '!step role=measure prime=5', self.names[1])
        self.refused('test.plan:5: kernel-3.traceg: a correction applies to launches that start cold, not after another one: '
                     'each needs a !segment before it', '!segment name=a', self.names[1], self.names[2])
        self.refused('correction:thesis applies to launches that run alone', self.names[1],
                     options=('--set', 'gpgpu_concurrent_kernel_sm=1'))
        self.fails(2, 'prime=: a correction applies to launches that are measured from start to end', 'run',
                   self.plan('!step role=measure prime=5', self.names[1]), '--warm', 'correction:thesis', '-q',
                   '-o', self.path('bad'))

    def test_handmade_segments(self):
        """A plan with a segment for each launch is corrected as the one that --warm makes; --launches counts, too."""
        rows, terms = self.correct('thesis')
        lines = [line for name in self.names for line in ('!segment name=' + name, name)]
        self.assertEqual(without(self.run_ok(self.plan('!warm policy="correction:thesis"', *lines), out='made')[2]),
                         without(rows[2]))
        plan = self.plan('!warm policy="correction:thesis"', *self.names)
        self.assertEqual(without(self.run_ok(plan, '--launches', '3', out='one')[0]), without(rows[2]))


class Messages(Warm):
    """Of plans that --warm makes: lines are those of the plan that was given."""

    def test_lines(self):
        plan = self.plan('# a', self.names[0], self.names[1], '# b', '!step role=measure intra=x', self.names[2])
        for policy in ('none', 'functional:auto', 'full', 'checkpoint', 'prime:5', 'stitch+prime:5'):
            self.fails(2, 'w/test.plan:7: intra "x": expected one of blocks', 'run', plan, '--warm', policy, '-q', '-o',
                       self.path('bad'))
            self.fails(2, 'w/test.plan:7: intra "x": expected one of blocks', 'run', plan, '--warm', policy, '-q', '-o',
                       self.path('bad'), '--launches', '3')
        plan = self.plan(self.names[0], '', '!step role=measure prime=5', self.names[1])
        self.fails(2, 'w/test.plan:5: kernel-2.traceg: prime=: a correction applies to', 'run', plan, '--warm',
                   'correction:thesis', '-q', '-o', self.path('bad'))
        self.fails(2, 'w/test.plan:5: prime=: launches that overlap', 'run', plan, '--warm', 'full', '-q', '-o',
                   self.path('bad'), '--set', 'gpgpu_concurrent_kernel_sm=1')

    def test_policies(self):
        """What comes of the policy names it, not a line."""
        for policy in ('prime:5', 'full+prime:5'):
            self.fails(2, 'hearth: warm-up prime:5: launches that overlap', 'run', self.path('w'), '--warm', policy,
                       '-q', '-o', self.path('bad'), '--set', 'gpgpu_concurrent_kernel_sm=1')
        self.run_ok(self.path('w'), '--warm', 'full+prime:0', '--set', 'gpgpu_concurrent_kernel_sm=1')

    def test_help(self):
        """Both commands describe the same policies."""
        start, end = 'none: start with empty caches', 'not after a plus sign, all'
        texts = [' '.join(self.hearth(command, '--help').stdout.split()) for command in ('run', 'warm')]
        policies = [text[text.index(start):text.index(end)] for text in texts]
        self.assertEqual(*policies)
        for name in ('full', 'detailed:K', 'memory:K', 'functional:K', 'checkpoint', 'nsl', 'stitch', 'prime:P',
                     'checkpoint:detailed+detailed:K, checkpoint:detailed+memory:K'):
            self.assertIn(' %s: ' % name, policies[0])
        self.assertIn('correction:thesis: ', texts[0])
        self.assertNotIn('correction:', texts[1])


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
