"""Tests of warm-up as plans and hearth run carry it out.

usage: warm_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import os
import subprocess
import sys
import unittest

from case import Case, HEADER, HEARTH, kernel_text


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

    def plan(self, *lines, name='w/test.plan'):
        return self.write(name, '\n'.join(('!plan 1',) + lines) + '\n')


class Steps(Warm):
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
        first = self.run_ok(self.plan(self.names[0], '!save file=states/one.l2', self.names[1],
                                      '!segment name=again', '!restore file=states/one.l2', self.names[1]))
        self.assertTrue(os.path.exists(self.path('w', 'states', 'one.l2')))
        changing = ('start_cycle', 'end_cycle', 'gap_cycles')
        drams = tuple(k for k in first[0] if k.startswith('dram_'))    # writes of the first go on in the gap
        self.assertEqual(without(first[1], *changing, *drams), without(first[2], *changing, *drams))
        self.assertEqual(first[2]['dram_reads'], '0')
        other = self.run_ok(self.plan('!workload path=../w', '!restore file=../w/states/one.l2', self.names[1],
                                      name='other/b.plan'), out='b')
        self.assertEqual(without(other[0]), without(first[2]))
        again = self.run_ok(self.path('b', 'plan.out'), out='again')
        self.assertEqual(again, other)

    def test_jobs_wait_for_states(self):
        plan = self.plan(self.names[0], '!save file=one.l2', *[line for n in range(6) for line in
                         ('!segment name=%d' % n, '!restore file=one.l2', self.names[1])])
        rows = self.run_ok(plan, '--jobs', '4', '--threads', '1')
        os.unlink(self.path('w', 'one.l2'))
        self.assertEqual(self.run_ok(plan, out='one'), rows)
        self.assertEqual({r['dram_reads'] for r in rows[1:]}, {'0'})

    def test_bad_states(self):
        self.run_ok(self.plan(self.names[0], '!save file=one.l2'))
        with open(self.path('w', 'one.l2'), 'rb') as f:
            good = f.read()
        plan = self.plan('!restore file=one.l2', self.names[1])
        for content in (b'', b'kernel-1.traceg\n', good[:len(good) // 2], good[:-1]):
            self.write('w/one.l2', content)
            self.fails(3, 'w/one.l2: the file ends early, or is no state of L2', 'run', plan, '-q', '-o', self.path('bad'))
        self.write('w/one.l2', good)
        self.fails(2, 'w/one.l2: the state is of an L2 of another size or shape', 'run', plan, '-c', 'qv100',
                   '-q', '-o', self.path('bad'))
        self.fails(2, 'w/one.l2: the state is of an L2 that spreads addresses in another way', 'run', plan,
                   '--set', 'gpgpu_memory_partition_indexing=0', '-q', '-o', self.path('bad'))
        os.unlink(self.path('w', 'one.l2'))
        self.fails(3, 'w/one.l2: No such file', 'run', plan, '-q', '-o', self.path('bad'))
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
        totals = self.json('stats.json', 'prime')['totals']
        self.assertEqual(totals['scaled_cycles']['value'], round(scale * int(row['cycles'])))
        self.assertEqual(totals['scaled_warp_insts']['value'], int(whole['warp_insts']))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
