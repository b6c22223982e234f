"""Folders of results."""
import csv
import difflib
import json
import math
import os
import re

from hearth.command import HearthError

try:
    import pandas
except ImportError:  # tables are lists of dicts then
    pandas = None


def number(text):
    """The value of a field: int, float, None if it is empty, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def rows(path):
    with open(path, newline='', encoding='utf-8') as f:
        return [{name: number(value) for name, value in row.items()} for row in csv.DictReader(f)]


def table(path):
    """A CSV file as a pandas.DataFrame; without pandas as a list of dicts."""
    return pandas.read_csv(path) if pandas else rows(path)


def known(values, name, path):
    if name not in values:
        near = difflib.get_close_matches(name, values, 1)
        raise HearthError('%s: stats.json has no %s%s' % (path, name, '; did you mean %s?' % near[0] if near else ''))
    return values[name]


class Run:
    """The results of a run, in the folder `path`."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            with open(os.path.join(self.path, 'stats.json'), encoding='utf-8') as f:
                self.stats = json.load(f)
        except (OSError, ValueError) as error:
            raise HearthError('%s: no results of hearth run: %s' % (self.path, error)) from error

    def __repr__(self):
        return '<hearth.Run %s: %d launches, %d cycles%s>' % (
            self.path, self.total('launches'), self.total('cycles'), ', partial' if self.partial else '')

    @property
    def kernels(self):
        """kernels.csv: a row for each launch."""
        return table(os.path.join(self.path, 'kernels.csv'))

    @property
    def intervals(self):
        """intervals.csv, of a run with intervals=N."""
        return table(os.path.join(self.path, 'intervals.csv'))

    @property
    def partial(self):
        """Whether the run stopped before its end."""
        return self.stats['partial']

    def total(self, name):
        """A total of the measured launches, as `cycles` or `dram_bytes`."""
        value = known(self.stats['totals'], name, self.path)
        return value['value'] if isinstance(value, dict) else value

    def extrapolated(self, name):
        """A sample's estimate for the whole application: value and error bar, which may be None."""
        if 'extrapolated' not in self.stats:
            raise HearthError('%s: nothing is extrapolated: not a run of a sample' % self.path)
        found = known(self.stats['extrapolated']['statistics'], name, self.path)
        return found['value'], found['error']


def cycles_by_kernel(run):
    cycles = {}
    for row in rows(os.path.join(run.path, 'kernels.csv')):
        if row['role'] == 'measure':
            cycles[row['kernel']] = cycles.get(row['kernel'], 0) + row['cycles']
    return cycles


def core_mhz(run):
    """The clock of a run's cores."""
    with open(os.path.join(run.path, 'config.out'), encoding='utf-8') as f:
        return float(re.search(r'^-gpgpu_clock_domains ([0-9.]+):', f.read(), re.M).group(1))


def compare(base, other):
    """Speed-ups of OTHER over BASE: a row for each kernel of both, the geometric mean, the total.

    Both are runs, or folders of results.

    The columns `base` and `other` are cycles, `speedup` is of times: the clocks may differ. The last two rows are called
    `geometric mean` and `total`; they are about the kernels that both have.
    """
    base, other = [run if isinstance(run, Run) else Run(run) for run in (base, other)]
    clocks = core_mhz(other) / core_mhz(base)
    before, after = cycles_by_kernel(base), cycles_by_kernel(other)
    both = [kernel for kernel in before if after.get(kernel) and before[kernel]]
    if not both:
        raise HearthError('%s and %s have no kernel in common' % (base.path, other.path))
    found = [{'kernel': kernel, 'base': before[kernel], 'other': after[kernel],
              'speedup': before[kernel] / after[kernel] * clocks}
             for kernel in both]
    mean = math.exp(sum(math.log(row['speedup']) for row in found) / len(found))
    sums = [sum(row[name] for row in found) for name in ('base', 'other')]
    found.append({'kernel': 'geometric mean', 'base': None, 'other': None, 'speedup': mean})
    found.append({'kernel': 'total', 'base': sums[0], 'other': sums[1], 'speedup': sums[0] / sums[1] * clocks})
    return pandas.DataFrame(found) if pandas else found
