"""Methods on profiles of real applications: what they predict, and that they scale.

usage: corpus.py HEARTH CORPUS
"""
import csv
import io
import os
import subprocess
import sys
import tempfile

HEARTH, CORPUS = os.path.abspath(sys.argv[1]), sys.argv[2]
GPT2 = os.path.join(CORPUS, 'profiles', 'accelsim_rtx3060ti_gpt2_train.tsv') if CORPUS else ''
NSIGHT = os.path.join(CORPUS, 'profiles', 'ncu_raw_rtx2070s_34launches.csv') if CORPUS else ''


def evaluate(*arguments):
    done = subprocess.run([HEARTH, 'sample', *arguments, '--evaluate', '-o', '-', '-q'], check=True, capture_output=True,
                          text=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def check(condition, what):
    if not condition:
        sys.exit('failed: ' + what)


def check_family(profile, launches):
    """Fewer and wider strata the larger theta is; none has fewer than the optimum."""
    rows = evaluate(profile, '--method', 'sieve,optimal', '--theta', '0.05,0.1,0.2,0.4,0.8')
    sieve, best = rows[:5], rows[5:]
    for a, b in zip(sieve, best):
        check(int(a['launches']) == launches, 'number of launches')
        check(int(a['strata']) >= int(b['strata']), 'optimal has most strata at theta ' + a['theta'])
        check(int(a['tier1']) + int(a['tier2']) + int(a['tier3']) == launches, 'tiers')
    for rows in (sieve, best):
        for a, b in zip(rows, rows[1:]):
            check(int(a['tier3']) >= int(b['tier3']), 'tier 3 grows with theta')
    for a, b in zip(best, best[1:]):
        check(int(a['strata']) >= int(b['strata']), 'optimal strata grow with theta')


def check_baselines(profile):
    """A method that looks at the launches is better than ten of them drawn: mean error of 20 draws."""
    drawn = evaluate(profile, '--method', 'random', '--seed', ','.join(map(str, range(20))))
    chosen = evaluate(profile, '--method', 'sieve,stem', '--theta', '0.1')
    mean = sum(float(row['error']) for row in drawn) / len(drawn)
    for row in chosen:
        check(float(row['error']) < mean, '%s is no better than random' % row['method'])


def check_bound(profile):
    """STEM keeps its bound on the times that it was given, for at least 15 seeds of 20."""
    rows = evaluate(profile, '--method', 'stem', '--epsilon', '0.05', '--seed', ','.join(map(str, range(20))))
    check(sum(float(row['error']) <= 0.05 for row in rows) >= 15, 'bound of stem')


def check_plan(profile):
    with tempfile.TemporaryDirectory() as place:
        plan = os.path.join(place, 'p.plan')
        subprocess.run([HEARTH, 'sample', profile, '--method', 'sieve', '-o', plan, '-q'], check=True)
        with open(plan) as f:
            check(sum(line.startswith('kernel-') for line in f) > 10, 'plan')


def main():
    if not CORPUS or not os.path.exists(GPT2):
        print('skipped: no corpus; give one with -Dcorpus=PATH')
        sys.exit(77)
    for profile, launches in ((GPT2, 3421), (NSIGHT, 34)):
        check_family(profile, launches)
        check_baselines(profile)
        check_bound(profile)
        check_plan(profile)
    check(evaluate(NSIGHT, '--method', 'sieve-artifact')[0]['error'] != '', 'sieve-artifact on Nsight Compute')


main()
