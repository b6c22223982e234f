#!/usr/bin/env python3
"""Profiles every set of real and generated traces, text and packed: the three
files must be the same, the counts those of the reader, and read back as they
were. Then the profiles that others measured.

usage: profile_corpus.py HEARTH COUNT FOLDER

FOLDER holds traces/ with archives and profiles/; skips without one.
"""
import csv
import glob
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile

from packed_corpus import lists

SKIP = 77
ENDINGS = ('.csv', '.blocks.csv', '.bbv.csv')
SUMS = ('warp_insts', 'thread_insts', 'mem_requests')
NSIGHT = 'ncu_raw_rtx2070s_34launches.csv'
TRAINING = 'accelsim_rtx3060ti_gpt2_train.tsv'
UNKNOWN_TO_NSIGHT = {'thread_insts', 'lld_sectors', 'lld_insts', 'gatom_insts', 'mem_requests', 'cta_insts_cov'}
METRICS = {
    'cycles': 'gpc__cycles_elapsed.avg', 'time_ns': 'gpu__time_duration.sum', 'warp_insts': 'smsp__inst_executed.sum',
    'gld_sectors': 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 'grid_x': 'launch__grid_dim_x',
    'divergence': 'smsp__thread_inst_executed_per_inst_executed.ratio', 'gst_insts_on': 'sass__inst_executed_global_stores',
    'block_x': 'launch__block_dim_x', 'regs': 'launch__registers_per_thread',
}


def hearth(program, *arguments):
    subprocess.run([program, 'trace', *arguments], check=True, stderr=subprocess.DEVNULL)


def read(path):
    with open(path, newline='', encoding='utf-8-sig') as file:
        return file.read()


def rows(path):
    return list(csv.DictReader(io.StringIO(read(path))))


def sums(table):
    """{launch: sums of the columns} of a table with several rows a launch."""
    total = {}
    for row in table:
        mine = total.setdefault(row['launch'], dict.fromkeys(SUMS, 0))
        for name in SUMS:
            mine[name] += int(row[name])
    return total


def check_consistent(profile, blocks, bbv):
    """The companions add up to the profile."""
    wrong, of_blocks, insts = [], sums(blocks), {}
    for row in bbv:
        insts[row['launch']] = insts.get(row['launch'], 0) + \
            int(row['warps']) * int(row['insts']) * int(row['count'])
    for row in profile:
        if any(int(row[name]) != of_blocks[row['launch']][name] for name in SUMS):
            wrong.append('blocks of launch ' + row['launch'])
        if insts.get(row['launch'], 0) != int(row['warp_insts']):
            wrong.append('basic blocks of launch ' + row['launch'])
    return wrong


def check_list(program, count, path, place):
    packed, text, other, again = (os.path.join(place, name) for name in ('packed', 'text', 'other', 'again.csv'))
    hearth(program, 'convert', path, '-o', packed, '--level', '1')
    hearth(program, 'profile', path, '-o', text + '.csv')
    hearth(program, 'profile', packed, '-o', other + '.csv')
    hearth(program, 'profile', text + '.csv', '-o', again)
    wrong = ['text and packed: ' + end for end in ENDINGS if read(text + end) != read(other + end)]
    if read(again) != read(text + '.csv'):
        wrong.append('read back')
    profile = rows(text + '.csv')
    wrong += check_consistent(profile, rows(text + '.blocks.csv'), rows(text + '.bbv.csv'))
    counted = subprocess.run([count, path], capture_output=True, text=True, check=True).stdout
    counts = re.findall(r'^\d+,\d+,(\d+),(\d+),', counted, re.M)
    if counts != [(row['warp_insts'], row['thread_insts']) for row in profile]:
        wrong.append('counts')
    return wrong


def check_set(program, count, archive):
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(os.path.join(folder, 'set'))
        wrong = []
        for number, path in enumerate(lists(os.path.join(folder, 'set'))):
            place = os.path.join(folder, str(number))
            os.mkdir(place)
            wrong += check_list(program, count, path, place)
        return wrong


def number(text):
    return float(text.replace(',', ''))


def check_nsight(program, source, place):
    """Every value is the export's."""
    hearth(program, 'profile', source, '-o', place + '/n.csv')
    ours, theirs, wrong = rows(place + '/n.csv'), rows(source)[1:], []
    if len(ours) != 34 or len(theirs) != 34:
        wrong.append('launches')
    for mine, row in zip(ours, theirs):
        same = mine['kernel'] == row['Kernel Name'] and int(mine['launch']) == int(row['ID']) + 1
        same = same and all(number(mine[name]) == number(row[metric]) for name, metric in METRICS.items())
        if not same or {name for name, value in mine.items() if value == ''} != UNKNOWN_TO_NSIGHT:
            wrong.append('launch ' + mine['launch'])
    return wrong


def check_training(program, source, place):
    hearth(program, 'profile', source, '-o', place + '/t.csv')
    ours = rows(place + '/t.csv')
    wrong = [] if len(ours) == 3421 and len({row['kernel'] for row in ours}) == 41 else ['launches or kernels']
    if any(not row['thread_insts'] or not row['cycles'] or row['block_x'] for row in ours):
        wrong.append('columns')
    return wrong


def check_profiles(program, folder):
    bad = 0
    for name, check in ((NSIGHT, check_nsight), (TRAINING, check_training)):
        source = os.path.join(folder, 'profiles', name)
        if os.path.exists(source):
            with tempfile.TemporaryDirectory() as place:
                wrong = check(program, source, place)
            print(f'{name}: {", ".join(wrong[:5]) or "read"}')
            bad += bool(wrong)
        else:
            print(name + ': not there')
    return bad


def main():
    program, count = sys.argv[1:3]
    folder = sys.argv[3] or os.environ.get('HEARTH_CORPUS', '')
    archives = sorted(glob.glob(os.path.join(folder, 'traces', '*', '*.tar.xz'))) if folder else []
    if not archives:
        print('skipped: no corpus (meson option "corpus" or $HEARTH_CORPUS)')
        return SKIP
    bad = check_profiles(program, folder)
    for archive in archives:
        wrong = check_set(program, count, archive)
        if wrong:
            bad += 1
            print(f'{os.path.basename(archive)}: {", ".join(wrong[:5])}')
    print(f'{len(archives)} sets, {bad} bad')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
