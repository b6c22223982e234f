"""Single launches, hooks and states: the library libhearth, called in this process.

    from hearth.library import Gpu, Workload
    with Workload('demo/oceanfft.packed') as workload, Gpu('rtx3070') as gpu:
        for item in workload.until(5):
            gpu.execute(item, mode='functional')    # copies, and launches, which warm L2
        gpu.save('5.state')
        row = gpu.execute(workload.launch(5))
        row['cycles'], row['l2_read_hits']

The library is the one that $HEARTH_LIBRARY names, or libhearth.so.0 where the system looks for libraries. It needs cffi
(Debian: python3-cffi). One thread at a time may use an object.
"""
import os
import re

import cffi

from hearth.command import HearthError

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ('detailed', 'memory', 'functional')
LEVELS = {'l1': 1, 'l2': 2, 'all': 3}
RUN, SKIP, TIMED, END, WARM = range(5)    # what a hook block_begins returns; (TIMED, cycles)
LAUNCH, COPY, OTHER, DEVICE_COPY = range(4)


def declarations():
    """hearth.h as cffi reads it: installed beside this file, or in the source tree."""
    for path in ('hearth.h', '../../library/hearth.h'):
        path = os.path.join(HERE, path)
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                text = re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)
            text = re.sub(r'extern "C" \{|#ifdef __cplusplus\s*\}', '', text)
            constants = re.findall(r'^#define HEARTH_\w+ +\d+$', text, re.M)
            text = re.sub(r'^#.*$', '', text, flags=re.M)
            return '\n'.join(constants) + text.replace('HEARTH_API ', '')
    raise HearthError('hearth.h is not beside ' + HERE)


def load():
    name = os.environ.get('HEARTH_LIBRARY', 'libhearth.so.0')
    try:
        return ffi.dlopen(name)
    except OSError as error:
        raise HearthError('cannot load %s, which HEARTH_LIBRARY names, or the system has: %s' % (name, error)) from error


ffi = cffi.FFI()
ffi.cdef(declarations())
lib = load()
COLUMNS = {ffi.string(lib.hearth_column(i).name).decode(): i for i in range(lib.hearth_columns())}
COUNTERS = [ffi.string(lib.hearth_counter(i).name).decode() for i in range(lib.hearth_counters())]


def check(err, what):
    """Raises the error in ERR, if there is one."""
    if err.status != lib.HEARTH_OK:
        raise HearthError(ffi.string(err.text).decode(errors='replace'), int(err.status), what)


def path_of(path):
    return ffi.new('char[]', os.fsencode(path))


class Texts:
    """A const char *const *, which lives as long as this."""

    def __init__(self, texts):
        self.owned = [ffi.new('char[]', os.fsencode(text)) for text in texts]
        self.array = ffi.new('char *[]', self.owned) if self.owned else ffi.NULL
        self.count = len(self.owned)


class Request:
    """A struct hearth_request, and all that it points to."""

    def __init__(self, config=(), options=None, **members):
        self.configs = Texts([config] if isinstance(config, (str, os.PathLike)) else config)
        self.sets = Texts('%s=%s' % pair for pair in (options or {}).items())
        self.texts = {name: path_of(value) for name, value in members.items() if isinstance(value, (str, os.PathLike))}
        self.struct = ffi.new('struct hearth_request *', {
            'configs': self.configs.array, 'config_count': self.configs.count, 'sets': self.sets.array,
            'set_count': self.sets.count, **{name: value for name, value in members.items() if value is not None},
            **self.texts})


def value(results, launch, column):
    """A value of kernels.csv: a number, a text, or None if nothing is known."""
    number = lib.hearth_number(results, launch, column)
    if number == number:
        return int(number) if number.is_integer() else number
    buffer = ffi.new('char[]', lib.HEARTH_TEXT)
    return ffi.string(lib.hearth_text(results, launch, column, buffer)).decode(errors='replace') or None


def row_of(results, launch):
    return {name: value(results, launch, column) for name, column in COLUMNS.items()}


def simulate(workload, config=(), options=None, progress=None, **members):
    """Simulates WORKLOAD in this process, as hearth.run() does by the program; returns the rows of kernels.csv.

    MEMBERS are others of struct hearth_request, such as warm='checkpoint', launches='1-4', output='folder' or threads=1.
    PROGRESS is called with the share of the work that is done, 0 to 1.
    """
    request, err = Request(config, options, target=workload, **members), ffi.new('struct hearth_error *')
    hooks = ffi.new('struct hearth_hooks *')
    if progress is not None:
        call = ffi.callback('void(void *, const struct hearth_progress *)', lambda data, now: progress(now.share))
        hooks.progress = call
    results = lib.hearth_run(request.struct, hooks, err)
    try:
        check(err, 'simulate')
        return [row_of(results, i) for i in range(lib.hearth_launches(results))]
    finally:
        lib.hearth_results_destroy(results)


class Item:
    """An item of a workload: a launch with its `number`, a copy with `address` and `bytes`, or another line."""

    def __init__(self, workload, index):
        item = lib.hearth_item(workload.handle, index)
        self.workload, self.index, self.kind = workload, index, int(item.kind)
        self.text, self.number = ffi.string(item.text).decode(errors='replace'), int(item.number)
        self.address, self.bytes = int(item.address), int(item.bytes)

    def __repr__(self):
        return '<hearth.library.Item %s>' % self.text


class Handle:
    """An object of the library, which close() or the end of a with statement destroys."""

    destroy = None

    def __init__(self, handle):
        self.handle = handle

    def close(self):
        if self.handle is not None:
            getattr(lib, self.destroy)(self.handle)
        self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __del__(self):
        if getattr(self, 'handle', None) is not None:
            self.close()


class Workload(Handle):
    """The launches and copies of a workload, in their order."""

    destroy = 'hearth_workload_close'

    def __init__(self, path):
        err = ffi.new('struct hearth_error *')
        handle = lib.hearth_workload_open(path_of(path), err)
        check(err, 'workload')
        super().__init__(handle)

    def __len__(self):
        return lib.hearth_items(self.handle)

    def __getitem__(self, index):
        if not 0 <= index < len(self):
            raise IndexError(index)
        return Item(self, index)

    def launch(self, number):
        """The launch with that number, as in --launches."""
        for item in self:
            if item.kind == LAUNCH and item.number == number:
                return item
        raise KeyError('there is no launch %d' % number)

    def until(self, number):
        """All items before that launch."""
        return [self[i] for i in range(self.launch(number).index)]


class Hooks:
    """A struct hearth_launch_hooks of Python functions; an exception in one ends the launch and is raised after it."""

    def __init__(self, progress=None, block_begins=None, block_ended=None, interval_ended=None, interval=0,
                 warp_ended=None, issued=None, issued_sm=0):
        self.error, self.stopped = None, False
        self.functions = progress, block_begins, block_ended, interval_ended, warp_ended, issued
        self.calls = [ffi.callback('bool(void *, const struct hearth_launch_progress *)', self.on_progress)]
        self.struct = ffi.new('struct hearth_launch_hooks *', {'progress': self.calls[0], 'interval': interval,
                                                               'issued_sm': issued_sm})
        if block_begins is not None:
            self.add('block_begins', 'enum hearth_block_choice(void *, const struct hearth_block *, uint64_t *)',
                     self.on_begin)
        if block_ended is not None:
            self.add('block_ended', 'void(void *, const struct hearth_block *)', self.on_end)
        if interval_ended is not None:
            self.add('interval_ended', 'void(void *, const struct hearth_interval *)', self.on_interval)

        if warp_ended is not None:
            self.add('warp_ended', 'void(void *, const struct hearth_block *)', self.on_warp)
        if issued is not None:
            self.add('issued', 'void(void *, const struct hearth_issue *)', self.on_issue)

    def add(self, name, kind, function):
        self.calls.append(ffi.callback(kind, function))
        setattr(self.struct, name, self.calls[-1])

    def guard(self, function, *arguments):
        if function is None or self.error is not None:
            return None
        try:
            return function(*arguments)
        except BaseException as error:    # C cannot pass it on
            self.error = error
            return None

    def on_progress(self, data, now):
        more = self.guard(self.functions[0], {'cycle': now.cycle, 'warp_insts': now.warp_insts,
                                              'blocks_done': now.blocks_done, 'blocks': now.blocks})
        self.stopped = more is False or self.error is not None
        return not self.stopped

    @staticmethod
    def block(seen):
        return {'order': seen.order, 'index': tuple(seen.index), 'sm': seen.sm, 'begin': seen.begin, 'end': seen.end}

    def on_begin(self, data, seen, cycles):
        choice = self.guard(self.functions[1], self.block(seen))
        if isinstance(choice, tuple):
            choice, cycles[0] = choice
        return END if self.error is not None else choice or RUN

    def on_end(self, data, seen):
        self.guard(self.functions[2], self.block(seen))

    def on_warp(self, data, seen):
        self.guard(self.functions[4], self.block(seen))

    def on_issue(self, data, seen):
        self.guard(self.functions[5], {'cycle': seen.cycle, 'block': seen.block, 'warp': seen.warp,
                                       'scheduler': seen.scheduler, 'lanes': seen.lanes, 'pc': seen.pc,
                                       'opcode': ffi.string(seen.opcode).decode()})

    def on_interval(self, data, seen):
        counters = {name: seen.counters[i] for i, name in enumerate(COUNTERS)}
        self.guard(self.functions[3], {'begin': seen.begin, 'end': seen.end, **counters})


class Gpu(Handle):
    """A simulated GPU, which keeps what its caches hold between launches.

    CONFIG, OPTIONS and FLUSH as in hearth.run(); THREADS work in it, by default one for each usable core.
    """

    destroy = 'hearth_gpu_destroy'

    def __init__(self, config=(), options=None, flush=None, threads=0):
        request, err = Request(config, options, flush=flush, threads=threads), ffi.new('struct hearth_error *')
        handle = lib.hearth_gpu_create(request.struct, err)
        check(err, 'gpu')
        super().__init__(handle)

    def execute(self, item, mode='detailed', **hooks):
        """Executes an item; returns the row of a launch, else None.

        MODE is detailed, memory (timed, only memory instructions) or functional (untimed). HOOKS are functions that get a
        dict: progress, which may return False to stop the launch (then None is returned, and the GPU is as new);
        block_begins, which returns RUN, SKIP, WARM, (TIMED, cycles) or END; block_ended; interval_ended, with interval=N
        cycles; warp_ended, which gets the block of a warp that retired; and issued, which gets each instruction that SM
        issued_sm=0 issues.
        """
        if mode not in MODES:
            raise ValueError('mode %r: expected %s' % (mode, ', '.join(MODES)))
        if item.kind == COPY:
            lib.hearth_gpu_copy(self.handle, item.address, item.bytes)
        if item.kind == DEVICE_COPY:
            lib.hearth_gpu_device_copy(self.handle, item.address, item.bytes)
        if item.kind != LAUNCH:
            return None
        err, watch = ffi.new('struct hearth_error *'), Hooks(**hooks)
        lib.hearth_gpu_launch(self.handle, item.workload.handle, item.index, MODES.index(mode), watch.struct, err)
        if watch.error is not None:
            raise watch.error
        check(err, 'launch')
        return None if watch.stopped else self.rows(-1)[0]

    def rows(self, first=0):
        """The rows of the launches so far, from number FIRST on; -1: the last one."""
        results = lib.hearth_gpu_results(self.handle)
        count = lib.hearth_launches(results)
        return [row_of(results, i) for i in range(first % count if count else 0, count)]

    def flush(self, levels='all'):
        """Empties l1, l2 or all caches; dirty sectors go to DRAM."""
        lib.hearth_gpu_flush(self.handle, LEVELS[levels])

    def reset(self):
        """Empties caches and sets clocks to 0; the rows stay."""
        lib.hearth_gpu_reset(self.handle)

    def save(self, path):
        """Writes what L2 holds to a file."""
        err = ffi.new('struct hearth_error *')
        lib.hearth_gpu_save(self.handle, path_of(path), err)
        check(err, 'save')

    def restore(self, path):
        """Makes L2 hold what save() wrote, and empties L1."""
        err = ffi.new('struct hearth_error *')
        lib.hearth_gpu_restore(self.handle, path_of(path), err)
        check(err, 'restore')
