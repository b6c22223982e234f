"""Hearth from Python: runs of the command, and their results as tables.

    import hearth
    full = hearth.run('demo/dct8x8.packed', config='rtx3070', options={'gpgpu_kernel_launch_latency': 0})
    full.total('cycles')
    full.kernels                        # a pandas.DataFrame; without pandas a list of dicts
    slow = hearth.run('demo/dct8x8.packed', options={'dram_latency': 300})
    hearth.compare(full, slow)          # speed-up of each kernel

Every function calls the program `hearth`: the one in $HEARTH, or on the path. Arguments by keyword that are not listed
are options of the command: threads=4 is --threads 4, flush='all' is --flush all, resume=True is --resume. Single
launches, hooks and states are in hearth.library, which calls the library in this process.
"""
from hearth.command import HearthError, call
from hearth.results import Run, compare, table

__all__ = ['HearthError', 'Run', 'call', 'compare', 'run', 'sample', 'sweep', 'table', 'warm']


def run(workload, output='hearth-out', config=(), options=None, **arguments):
    """Simulates WORKLOAD (a folder, a list, a packed file or a plan) into the folder OUTPUT; returns its Run.

    CONFIG is a card, an option file or a list of them; OPTIONS are those of the simulator, as --set sets them.
    """
    words = ['run', workload, '-o', output, '-q']
    for name in [config] if isinstance(config, str) else config:
        words += ['-c', name]
    for name, value in (options or {}).items():
        words += ['--set', '%s=%s' % (name, value)]
    call(words, arguments)
    return Run(output)


def sample(workload, output, method, **arguments):
    """Writes the plan OUTPUT with the launches of WORKLOAD that METHOD chooses; returns OUTPUT, which run() takes."""
    call(['sample', workload, '--method', method, '-o', output, '-q'], arguments)
    return output


def warm(workload, output, policy, **arguments):
    """Writes the plan OUTPUT: WORKLOAD, or the plan of a sample, with the warm-up POLICY; returns OUTPUT."""
    call(['warm', workload, '--warm', policy, '-o', output, '-q'], arguments)
    return output


def sweep(spec, output, **arguments):
    """Executes the jobs of the file SPEC; returns the tables of the sweep by name, as Run.kernels is."""
    call(['sweep', spec, '-o', output, '-q'], arguments)
    return {name: table('%s/%s.csv' % (output, name)) for name in ('launches', 'jobs', 'kernels', 'configurations')}
