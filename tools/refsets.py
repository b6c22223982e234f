"""The sets of a reference simulator's results: where their traces are and what it computed for them.

A folder of reference material holds reference/sets.csv (set,archive,list), reference/accel-sim.csv (one row a
launch), reference/accel-sim-speed.csv (one row a set) and the archives under traces/.
"""
import csv
import fnmatch
import os
import shutil
import tarfile
import tempfile
import threading


class ReferenceError(Exception):
    """The reference material is not what it should be."""


class RefSet:
    """One list of kernels with the reference's rows for it, by mode and position in the list (from 1)."""

    def __init__(self, name, archive, path):
        self.name, self.archive, self.path = name, archive, path
        self.rows = {'sequence': {}, 'alone': {}}
        self.speed = None

    def positions(self, mode):
        """The launches that the reference has numbers for, in list order."""
        return sorted(i for i, row in self.rows[mode].items() if row['status'] == 'ok')


def read_csv(path):
    try:
        with open(path, newline='') as f:
            return list(csv.DictReader(f))
    except OSError as error:
        raise ReferenceError('%s: %s' % (path, error.strerror)) from error


def load(shared):
    """All sets under the folder SHARED, in the order of sets.csv."""
    folder = os.path.join(shared, 'reference')
    sets = {}
    for row in read_csv(os.path.join(folder, 'sets.csv')):
        sets[row['set']] = RefSet(row['set'], row['archive'], row['list'])
    for row in read_csv(os.path.join(folder, 'accel-sim.csv')):
        if row['set'] in sets:
            sets[row['set']].rows[row['mode']][int(row['kernel_index'])] = row
    for row in read_csv(os.path.join(folder, 'accel-sim-speed.csv')):
        if row['set'] in sets:
            sets[row['set']].speed = row
    return list(sets.values())


def choose(sets, patterns):
    """The sets that one of the comma-separated PATTERNS names; all of them without patterns."""
    if not patterns:
        return sets
    wanted = patterns.split(',')
    for pattern in wanted:
        if not any(fnmatch.fnmatchcase(s.name, pattern) for s in sets):
            raise ReferenceError('no set "%s"; there are: %s' % (pattern, ' '.join(s.name for s in sets)))
    return [s for s in sets if any(fnmatch.fnmatchcase(s.name, pattern) for pattern in wanted)]


class Corpus:
    """Extracted archives in a cache folder: KIND/ARCHIVE/, or KIND/ where the archive's own top folder is there."""

    def __init__(self, shared, cache):
        self.traces = os.path.join(shared, 'traces')
        self.lock = threading.Lock()    # several sets may want the same archive at once
        self.temporary = cache is None
        self.cache = tempfile.mkdtemp(prefix='hearth-reference-') if cache is None else cache

    def close(self):
        if self.temporary:
            shutil.rmtree(self.cache, ignore_errors=True)

    def archives(self):
        """Every archive there is, as KIND/NAME.tar.xz."""
        return sorted(os.path.join(kind, name)
                      for kind in os.listdir(self.traces) if os.path.isdir(os.path.join(self.traces, kind))
                      for name in os.listdir(os.path.join(self.traces, kind)) if name.endswith('.tar.xz'))

    def tree(self, archive):
        """The folder that ARCHIVE is extracted to; extracts it first if need be."""
        kind, name = os.path.split(archive)
        stem = name[:-len('.tar.xz')]
        folder = os.path.join(self.cache, kind, stem)
        with self.lock:
            if not os.path.isdir(folder):
                self.extract(archive, folder)
        # Archives unpacked by hand beside each other: then the archive's own top folder is FOLDER.
        by_hand = self.top(archive) == stem and not os.path.isdir(os.path.join(folder, stem))
        return os.path.dirname(folder) if by_hand else folder

    def top(self, archive):
        """The top folder of the archive's first member."""
        with tarfile.open(os.path.join(self.traces, archive)) as tar:
            first = tar.next()
            return first.name.split('/')[0] if first else ''

    def lists(self, archive):
        """Every list of the archive; a raw one only where there is no grouped one beside it."""
        tree, top = self.tree(archive), self.top(archive)
        for folder, _, files in sorted(os.walk(os.path.join(tree, top))):
            for name in ('kernelslist.g', 'kernelslist'):
                if name in files:
                    yield os.path.join(folder, name)
                    break

    def applications(self):
        """Name and list of each grouped workload of several launches under traces/real."""
        for archive in self.archives():
            for path in self.lists(archive) if archive.startswith('real' + os.sep) else ():
                if path.endswith('.g') and len(kernel_lines(path)) > 1:
                    folders = os.path.dirname(path).split(os.sep)
                    yield [f for f in folders if f not in ('traces', 'NO_ARGS')][-1], path

    def extract(self, archive, folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        part = tempfile.mkdtemp(dir=os.path.dirname(folder))
        try:
            with tarfile.open(os.path.join(self.traces, archive)) as tar:
                # Links are left out: some lead to where the traces were recorded.
                tar.extractall(part, members=(m for m in tar if m.isfile() or m.isdir()),
                               **({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}))
            os.chmod(part, 0o755)
            os.rename(part, folder)
        except (OSError, tarfile.TarError) as error:
            shutil.rmtree(part, ignore_errors=True)
            raise ReferenceError('%s: %s' % (archive, error)) from error

    def list_path(self, ref):
        return os.path.join(self.tree(ref.archive), ref.path)


def kernel_lines(path):
    """The kernel lines of a list, in order."""
    try:
        with open(path) as f:
            return [line.strip() for line in f if line.startswith('kernel')]
    except OSError as error:
        raise ReferenceError('%s: %s' % (path, error.strerror)) from error


def write_plan(path, list_path, positions, alone):
    """A plan of the launches at POSITIONS; each in a segment of its own when ALONE.

    Copies are left out: the reference ran with -gpgpu_perf_sim_memcpy 0, where they do nothing.
    """
    lines = kernel_lines(list_path)
    with open(path, 'w') as f:
        f.write('!plan 1\n!workload path="%s"\n' % os.path.abspath(list_path))
        for i in positions:
            if i > len(lines):
                raise ReferenceError('%s: has %d kernels, the reference has results for kernel %d'
                                     % (list_path, len(lines), i))
            if alone:
                f.write('!segment name=%d\n' % i)
            f.write(lines[i - 1] + '\n')
