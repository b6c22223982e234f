#!/usr/bin/env python3
"""The NVBit tool on a stub driver: what an application runs is what its traces say."""
import collections
import csv
import os
import subprocess
import sys
import unittest

from tool_case import APP, HEARTH, REPLAY, ToolCase, lanes, read_trace


class ToolTest(ToolCase):
    def test_traces_what_runs(self):
        (expected,), errors = self.run_app('plain')
        self.check(expected)
        self.assertEqual(errors, '')
        self.assertEqual(self.lines('kernelslist.g'), [
            '# traced: NVBit', 'MemcpyHtoD,0x00007f4000000000,4096', 'kernel-1.traceg',
            '# launch 2 dynamic=0 cluster=1,1,1 cooperative=1 carveout=-1', 'kernel-2.traceg',
            'MemcpyDtoH,0x00007f4000000000,1024', 'kernel-3.traceg', 'kernel-4.traceg'])
        header, _ = read_trace(self.path('traces/kernel-2.traceg'))
        self.assertEqual([header[key] for key in ('kernel name', 'block dim', 'shmem', 'nregs', 'binary version',
                                                  'nvbit version', 'shmem base_addr')],
                         ['_Z6strollPf', '(8,4,2)', '128', '24', '86', '1.7-stub', '0x00007f0002000000'])
        self.assertNotEqual(header['cuda stream id'], '0')
        lines = self.lines('kernel-1.traceg')
        self.assertIn('0000 ffffffff 1 R1 MOV 0 0 7 ', lines)
        self.assertIn('0010 ffffffff 0 ISETP.GE.AND 2 R2 R3 0 0 ', lines)
        self.assertTrue(any(line.startswith('0040 fffffff7 0 LDGSTS.E.128 2 R6 R8 16 2 0x') for line in lines))

    def test_hearth_runs_it(self):
        self.run_app('plain')
        done = subprocess.run([HEARTH, 'run', self.path('traces'), '-o', self.path('out')], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path('out/kernels.csv'), newline='') as file:
            self.assertEqual([row['launch'] for row in csv.DictReader(file)], ['1', '2', '3', '4'])

    def test_contexts(self):
        expected, _ = self.run_app('contexts')
        self.assertEqual(len(expected), 2)
        self.check(expected[0])
        names = [name for name in os.listdir(self.path('traces')) if name.startswith('kernelslist_ctx')]
        self.assertEqual(len(names), 1)
        self.check(expected[1], names[0][len('kernelslist'):-len('.g')])
        self.assertEqual(sum(line.startswith('Memcpy') for line in self.lines(names[0])), 2)

    def test_graphs(self):
        (expected,), _ = self.run_app('graph')
        self.assertEqual(len(expected), 7)
        self.check(expected)

    def test_nodes_of_graphs(self):
        (expected,), errors = self.run_app('nodes')
        self.check(expected)
        self.assertEqual((sorted(expected), errors), ([1, 2], ''))

    def test_captures(self):
        """They go on while launches into other streams are traced; what they copy is copied by their graph."""
        (expected,), errors = self.run_app('capture')
        self.check(expected)
        self.assertEqual(errors, '')
        self.assertEqual(self.lines('kernelslist.g')[1:], [
            'kernel-1.traceg', '# copy to 0x00007f4000002000 from 0x00007f4000000000 512', 'kernel-2.traceg',
            '# copy to 0x00007f4000001000 from 0x00007f4000000000 256', 'kernel-3.traceg'])

    def test_copies_of_graphs(self):
        """Each time that a graph is launched: between its kernels, also of graphs within it, and as it was changed."""
        for settings in ({}, {'TRACE_RECORD': self.path('stream')}):
            (expected,), errors = self.run_app('graph_copies', **settings)
            self.check(expected)
            self.assertEqual(errors, '')
            copy, rows = 'MemcpyHtoD,0x00007f4000000000,4096', '# set 0x00007f4000000000 400 row=100 rows=4 pitch=512'
            listed = self.lines('kernelslist.g')[1:]
            self.assertEqual(listed, [
                'kernel-1.traceg', copy, 'kernel-2.traceg', rows, 'kernel-3.traceg', '# set 0x00007f4000000000 64', copy,
                'kernel-4.traceg', rows, 'kernel-5.traceg', '# set 0x00007f4000000000 32', '# set 0x00007f4000000000 16'])
        self.replay('stream', 'again')
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines()[1:], listed)

    def test_empty_grids(self):
        """The driver refuses them; the tracer names each and goes on."""
        (expected,), errors = self.run_app('empty')
        self.check(expected)
        self.assertEqual(errors, 'hearth tracer: _Z6strollPf: left out: a grid of 0x1x1 blocks of 64x1x1 threads is not '
                                 'possible')
        self.assertEqual(self.lines('kernelslist.g')[1:], ['kernel-1.traceg', 'kernel-3.traceg'])

    def test_facts_of_launches(self):
        (expected,), errors = self.run_app('facts', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        listed = self.lines('kernelslist.g')
        self.assertEqual(listed[1:], [
            '# set 0x00007f4000000000 4096',
            '# launch 1 dynamic=512 cluster=2,1,1 cooperative=1 carveout=50', 'kernel-1.traceg',
            '# copy to 0x00007f4000001000 from 0x00007f4000000000 256', 'kernel-2.traceg',
            '# copy to 0x00007f4000002000 from 0x00007f4000001000 64',
            '# launch 3 dynamic=0 cluster=1,1,1 cooperative=1 carveout=100', 'kernel-3.traceg'])
        subprocess.run([REPLAY, self.path('stream')], check=True, env={
            **os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': self.path('again'), 'TRACE_FILE_COMPRESS': '0'})
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines(), listed)
        done = subprocess.run([HEARTH, 'run', self.path('traces'), '-o', self.path('out')], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        info, _ = self.hearth('trace', 'info', self.path('traces'))
        self.assertIn('\nfacts         of 2 launches: dynamic shared memory 1, clusters 1, cooperative 2, carve-out 2, '
                      'L2 window 0, programmatic 0\n', info)
        self.assertIn('\nother memory  copies on the device 2, memsets 1, managed allocations 0, other writes 0\n', info)
        rows = self.hearth('trace', 'info', '--csv', self.path('traces'))[0].splitlines()
        self.assertEqual([row.split(',')[-7:] for row in rows[1:]], [
            ['512', '2x1x1', '1', '50', '', '0', ''], [''] * 7, ['0', '1x1x1', '1', '100', '', '0', '']])
        self.run_app('facts', TRACE_FORMAT='packed')
        done = subprocess.run([HEARTH, 'trace', 'convert', self.path('traces/traces.packed'), '-o', self.path('text')],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path('text/kernelslist.g')) as file:
            self.assertEqual([line.rstrip() for line in file if not line.startswith('# predicates')], listed)

    def test_forked_child(self):
        """It writes nothing: not to traces, not to the stream, and leaves all files."""
        (expected,), errors = self.run_app('fork', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        listed = self.lines('kernelslist.g')
        self.assertEqual(listed[1:], ['kernel-1.traceg', 'MemcpyHtoD,0x00007f4000000000,4096', 'kernel-2.traceg'])
        subprocess.run([REPLAY, self.path('stream')], check=True, env={
            **os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': self.path('again'), 'TRACE_FILE_COMPRESS': '0'})
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines(), listed)
        self.run_app('fork', TRACE_FORMAT='packed')
        done = subprocess.run([HEARTH, 'trace', 'verify', self.path('traces/traces.packed')], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_two_processes(self):
        (expected,), errors = self.run_app('processes')
        self.check(expected)
        refused = 'another process is writing there: this one is not traced (TRACE_MULTI_PROCESS=1 gives each its own)'
        self.assertEqual(errors, f'hearth tracer: {self.path("traces")}: {refused}')
        _, errors = self.run_app('processes', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, f'hearth tracer: {self.path("stream")}: {refused}')
        self.run_app('processes', TRACE_MULTI_PROCESS='1', TRACE_RECORD=self.path('stream'))
        for run, count in ((0, 2), (1, 4)):
            listed = self.lines(f'run{run}/kernelslist.g')
            self.assertEqual(sum(line.startswith('kernel') for line in listed), count)
            self.replay(f'stream.run{run}', f'again{run}')
            with open(self.path(f'again{run}/kernelslist.g')) as file:
                self.assertEqual(file.read().splitlines(), listed)

    def test_refused_launches_are_left_out(self):
        (expected,), errors = self.run_app('refused', TRACE_RECORD=self.path('stream'))
        self.check(expected)
        self.assertEqual(errors, '')
        listed = self.lines('kernelslist.g')
        self.assertEqual(listed[1:], ['kernel-1.traceg', 'kernel-3.traceg'])
        self.assertNotIn('kernel-2.traceg', os.listdir(self.path('traces')))
        subprocess.run([REPLAY, self.path('stream')], check=True, env={
            **os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': self.path('again'), 'TRACE_FILE_COMPRESS': '0'})
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines(), listed)
        self.run_app('refused', TRACE_MODE='profile')
        self.assertEqual([line.split(',')[0] for line in self.lines('profile.csv')[1:]], ['1', '3'])

    def test_threads(self):
        for scenario, count in (('threads', 81), ('graph_threads', 140)):
            (expected,), errors = self.run_app(scenario)
            self.assertEqual(len(expected), count)
            self.check(expected)
            self.assertEqual(errors, '')

    def test_profiler_region(self):
        (expected,), _ = self.run_app('profiler', ACTIVE_FROM_START='0')
        self.assertEqual(self.lines('kernelslist.g')[1:], ['kernel-2.traceg', 'MemcpyHtoD,0x00007f4000000000,64'])
        _, traced = read_trace(self.path('traces/kernel-2.traceg'))
        self.assertEqual(traced, expected[2])

    def test_limits(self):
        self.run_app('plain', DYNAMIC_KERNEL_LIMIT_START='2', DYNAMIC_KERNEL_LIMIT_END='3')
        self.assertEqual([line for line in self.lines('kernelslist.g') if line.startswith('kernel')],
                         ['kernel-2.traceg', 'kernel-3.traceg'])
        expected, _ = self.run_app('plain', DYNAMIC_KERNEL_LIMIT_END='2', TERMINATE_UPON_LIMIT='1')
        self.assertEqual([line for line in self.lines('kernelslist.g') if line.startswith('kernel')],
                         ['kernel-1.traceg', 'kernel-2.traceg'])

    def test_memory_only(self):
        for mode, name in (('memory', 'kernel-mem-1.traceg'), ('both', 'kernel-mem-1.traceg')):
            (expected,), _ = self.run_app('plain', TRACE_MODE=mode)
            _, traced = read_trace(self.path('traces/' + name))
            kept = {key: [r for r in records if r[2].split('.')[0] not in ('MOV', 'ISETP', 'LDC')]
                    for key, records in expected[1].items()}
            self.assertEqual(traced, kept)

    def test_list_with_what_warms(self):
        with open(self.path('list'), 'w') as file:
            file.write('3\nmemory 2\n')
        (expected,), _ = self.run_app('plain', TRACE_LIST=self.path('list'))
        self.assertEqual([line for line in self.lines('kernelslist.g') if line.startswith('kernel')],
                         ['kernel-mem-2.traceg', 'kernel-3.traceg'])
        _, traced = read_trace(self.path('traces/kernel-3.traceg'))
        self.assertEqual(traced, expected[3])
        _, traced = read_trace(self.path('traces/kernel-mem-2.traceg'))
        self.assertEqual(sum(map(len, traced.values())),
                         sum(r[2].split('.')[0] not in ('MOV', 'ISETP', 'LDC')
                             for records in expected[2].values() for r in records))

    def test_counts(self):
        (expected,), _ = self.run_app('plain', TRACE_MODE='profile')
        with open(self.path('traces/profile.csv'), newline='') as file:
            rows = {int(row['launch']): row for row in csv.DictReader(file)}
        for launch, warps in expected.items():
            want = collections.Counter()
            for pc, mask, opcode, addresses in (record for records in warps.values() for record in records):
                want['warp_insts'] += 1
                want['thread_insts'] += lanes(mask)
                name = opcode.split('.')[0]
                sectors = len({a // 32 for a in addresses})
                if name in ('LDG', 'LDGSTS'):
                    want.update(gld_insts=1, gld_insts_on=mask != 0, gld_sectors=sectors, mem_requests=sectors)
                elif name == 'STG':
                    want.update(gst_insts=1, gst_insts_on=mask != 0, gst_sectors=sectors, mem_requests=sectors)
                elif name == 'RED':
                    want.update(gatom_insts=1, mem_requests=sectors)
                elif name == 'LDL':
                    words = len({(lane // 8, 16) for lane in range(32) if mask >> lane & 1})
                    want.update(lld_insts=1, lld_sectors=words, mem_requests=words)
                elif name in ('LD', 'LDS'):
                    want.update(sld_insts=1)
            for column, value in want.items():
                self.assertEqual(int(rows[launch][column]), value, f'launch {launch}, {column}')
        self.assertFalse(os.path.exists(self.path('traces/kernelslist.g')))

    def test_exits_with_an_operand(self):
        """Lanes leave where the guard and the operand of EXIT hold; nothing of the others is lost."""
        for settings in ({}, {'TRACE_MODE': 'memory'}):
            (expected,), errors = self.run_app('exits', **settings)
            self.assertEqual(errors, '')
            for launch, warps in expected.items():
                if settings:
                    warps = {key: [r for r in records if r[2].split('.')[0] not in ('MOV', 'FADD', 'ISETP', 'LDC')]
                             for key, records in warps.items()}
                infix = 'mem-' if settings else ''
                self.assertEqual(read_trace(self.path(f'traces/kernel-{infix}{launch}.traceg'))[1], warps)
        self.assertEqual([mask for _, mask, opcode, _ in expected[1][0, 0] if opcode == 'EXIT'],
                         [0xff, 0xff0000, 0xff000000, 0, 0, 0xff00])
        self.run_app('exits', TRACE_MODE='profile')
        with open(self.path('traces/profile.csv'), newline='') as file:
            rows = list(csv.DictReader(file))
        for row, warps in zip(rows, expected.values(), strict=True):
            records = [record for records in warps.values() for record in records]
            self.assertEqual((int(row['warp_insts']), int(row['thread_insts'])),
                             (len(records), sum(lanes(mask) for _, mask, _, _ in records)))

    def test_crash_leaves_whole_launches(self):
        (expected,), _ = self.run_app('crash', code=-6)
        self.check(expected)
        self.assertEqual(self.lines('kernelslist.g')[-1], 'kernel-4.traceg')

    def test_instructions_of_an_interval_with_lines(self):
        self.run_app('plain', INSTR_BEGIN='3', INSTR_END='5', TRACE_LINEINFO='1')
        lines = [line for line in self.lines('kernel-4.traceg') if ' LDG' in line]
        self.assertEqual(len(lines), 4)
        self.assertTrue(lines[0].startswith('103 0030 00000001 1 R4 LDG.E.64 1 R2 8 '), lines[0])
        self.assertNotIn('EXIT', '\n'.join(self.lines('kernel-4.traceg')))

    def test_packed_with_predicates(self):
        self.run_app('plain', TRACE_FORMAT='packed')
        done = subprocess.run([HEARTH, 'trace', 'convert', self.path('traces/traces.packed'), '-o', self.path('text')],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path('text/kernelslist.g')) as file:
            notes = [line.rstrip() for line in file if line.startswith('# predicates _Z4walkPf')]
        self.assertEqual(notes, ['# predicates _Z4walkPf 0010 P0 PT', '# predicates _Z4walkPf 0020 @P0',
                                 '# predicates _Z4walkPf 0040 P2', '# predicates _Z4walkPf 0050 @!P1'])

    def test_without_a_thread(self):
        """The application runs to its end, and one message for a context says why there is nothing."""
        for scenario in ('plain', 'graph'):
            _, errors = self.run_app(scenario, STUB_NO_THREADS='1')
            self.assertEqual(errors, 'hearth tracer: cannot start a thread: launches of context 0 are left out')
            self.assertEqual([line for line in self.lines('kernelslist.g') if line.startswith('kernel')], [])

    def test_says_that_it_started(self):
        _, errors = self.run_app('plain', TRACE_QUIET='0')
        self.assertRegex(errors, r'^hearth tracer: loaded by NVBit 1.7-stub into process \d+$')

    def test_one_message(self):
        done = subprocess.run([APP, 'plain', self.path('expected')], env={**os.environ, 'TRACE_MODE': 'x'},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (2, 'hearth tracer: TRACE_MODE: "x" is not one of: trace memory both profile\n'))
        done = subprocess.run([APP, 'plain', self.path('expected')],
                              env={**os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': '/proc/no', 'TRACE_QUIET': '1'},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, 'hearth tracer: /proc/no: No such file or directory\n'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
