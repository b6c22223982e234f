"""Lets each allocation of many commands fail, one after the other: alone, and with all later ones.

A command then gives the right result, or one message that memory ran out and nothing else: no crash, no endless loop,
no half-written file. What a run finished is kept: --resume completes it.

usage: memory_test.py HEARTH SOURCE_ROOT LIBRARY STRIDE [all] [NAME]...

LIBRARY is made of fail_allocation.c. Of the commands NAME (none: of all) every STRIDE-th place in the program that
allocates is tested, where it is reached first; with STRIDE 0 every allocation. Every fourth of these is also tested
with all later ones. With "all", what other libraries allocate counts, too.
"""
import array
import concurrent.futures
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile

from case import HEARTH, ROOT, demo, kernel_text

LIBRARY, STRIDE = os.path.abspath(sys.argv[3]), int(sys.argv[4])
ALL_LIBRARIES = sys.argv[5:6] == ['all']
NAMES = sys.argv[6 if ALL_LIBRARIES else 5:]
SECONDS = 60        # longer is taken for an endless loop
TIMED = ('run.json', 'policies.csv', 'results.csv', 'index.html', 'study.json')
NOT_RESUMED = {'--resume', '--trace-events', '--warps'}
SHORT = r'out of memory|Cannot allocate memory'
# libarchive ends the process itself where it cannot allocate a name.
MESSAGE = r'hearth: [^\n]*(%s)[^\n]*\n|Fatal Internal Error in libarchive: (Out of|No) memory\n' % SHORT
SMALL = ['--set', 'gpgpu_n_clusters=2', '--set', 'gpgpu_n_mem=1',
         '--set', 'gpgpu_cache:dl2=S:16:128:4,L:B:m:L:P,A:8:4,32:0,32']
RUN = ['run', '-q', '-o', 'out', '--threads', '1', *SMALL]
STUDY = ['-q', '-o', 'out', '--threads', '1', '--launches', '1-3', *SMALL]
COMMANDS = {
    'run': RUN + ['tiny'],
    'run packed': RUN + ['tiny.packed', '--threads', '2', '--cpi-stack', '--intervals', '100'],
    'run raw': RUN + ['raw'],
    'run archive': RUN + ['tiny.tar'],
    'run packed in an archive': RUN + ['packed.tar'],
    'run compressed': RUN + ['compressed', '--set', 'hearth_core=modern'],
    'run compressed in an archive': RUN + ['compressed.tar', '--set', 'hearth_core=modern'],
    'run streams': RUN + ['tiny', '--set', 'gpgpu_concurrent_kernel_sm=1'],
    'run plan': RUN + ['tiny/segments.plan', '--jobs', '2'],
    'run functional': RUN + ['tiny', '--launches', '2-3', '--warm', 'functional:auto'],
    'run corrected': RUN + ['tiny', '--launches', '2-3', '--warm', 'correction:artifact'],
    'run checkpoint': RUN + ['tiny', '--launches', '2-3', '--warm', 'checkpoint'],
    'run modern': RUN + ['tiny', '--set', 'hearth_core=modern'],
    'run parts': RUN + ['tiny', '--parts', '--activity'],
    'run warps': RUN + ['tiny', '--warps'],
    'run mrrl': RUN + ['tiny', '--launches', '2-3', '--warm', 'mrrl'],
    'run wood': RUN + ['tiny', '--launches', '2-3', '--warm', 'wood'],
    'run nsl': RUN + ['tiny', '--launches', '2-3', '--warm', 'nsl+prime:10'],
    'run stitch': RUN + ['tiny', '--launches', '2-3', '--warm', 'stitch'],
    'run checkpoint:detailed': RUN + ['tiny', '--launches', '2-3', '--warm', 'checkpoint:detailed'],
    'run photon': RUN + ['tiny', '--intra', 'photon-online'],
    'run tbpoint': RUN + ['tiny', '--intra', 'tbpoint-intra', '--intra-profile', 'tiny.blocks.csv'],
    'run blocks': RUN + ['tiny', '--intra', 'blocks'],
    'run segments': RUN + ['tiny/segments.plan', '--segments', '2'],
    'run join': RUN + ['tiny/segments.plan', '--join', 'part.list'],
    'run bounds': RUN + ['tiny', '--bounds'],
    'resume': RUN + ['tiny', '--resume', '--checkpoint', '0'],
    'sample': ['sample', 'tiny', '--method', 'sieve', '-q', '-o', 'out.plan'],
    'sample pks': ['sample', 'tiny.csv', '--method', 'pks', '--k', '2', '-q', '-o', 'out.plan'],
    'sample evaluate': ['sample', 'cycles.csv', '--evaluate', '--method', 'all'],
    'sample photon': ['sample', 'tiny', '--method', 'photon', '-q', '-o', 'out.plan', '--strata', 'out.csv'],
    'sample tbpoint': ['sample', 'tiny.csv', '--method', 'tbpoint', '-q', '-o', 'out.plan', '--trace-list', 'out.list'],
    'sample two-phase': ['sample', 'cycles.csv', '--method', 'two-phase', '-q', '-o', 'out.plan'],
    'sample stem': ['sample', 'cycles.csv', '--method', 'stem', '-q', '-o', 'out.plan'],
    'sample estimate': ['sample', 'tiny', '--method', 'sieve', '--estimate', 'rtx3070', '-q', '-o', 'out.plan'],
    'run sample': RUN + ['sieve.plan'],
    'warm': ['warm', 'sieve.plan', '--warm', 'memory:1', '-q', '-o', 'out.plan'],
    'warm now': ['warm', 'sieve.plan', '--warm', 'checkpoint', '--now', '-q', '-o', 'out.plan', *SMALL],
    'warm variants': ['warm', 'sieve.plan', '--warm', 'nsl', '-q', '-o', 'out.plan', *SMALL, '--variant',
                      'gpgpu_cache:dl2=S:8:128:4,L:B:m:L:P,A:8:4,32:0,32'],
    'estimate': ['estimate', 'tiny', '--hits', 'functional', '--bounds', '-o', 'out', *SMALL],
    'estimate profile': ['estimate', 'tiny.csv', '--traces', 'tiny', '--calibrate', 'finished', '--what-if', 'block=64'],
    'estimate listing': ['estimate', '--sass', 'saxpy2.sass', '--block', '256', '--grid', '1024', '--curve',
                         'intensity'],
    'sweep': ['sweep', 'sweep.spec', '-o', 'out', '-q', '--jobs', '1'],
    'sweep list': ['sweep', 'sweep.spec', '-o', 'out', '-q', '--engine', 'list'],
    'sweep status': ['sweep', '--status', 'swept'],
    'study correlate': ['study', 'correlate', 'finished', '--hardware', 'cycles.measured', '--no-cold', '-q', '-o', 'out'],
    'study cold-start': ['study', 'cold-start', 'tiny', '--reach', '0', '--noise', '0', '--no-flush-modes',
                         '--warm', 'memory:1', *STUDY],
    'study sampled': ['study', 'sampled', 'tiny', '--methods', 'first-n', '--warm', 'none', '--threads', '1', '-q',
                      '-o', 'out', *SMALL],
    'convert': ['trace', 'convert', 'tiny', '-o', 'out.packed'],
    'convert to text': ['trace', 'convert', 'tiny.packed', '--to', 'text', '-o', 'out'],
    'convert raw': ['trace', 'convert', 'raw', '-o', 'out.packed'],
    'annotate': ['trace', 'annotate', 'tiny', '--code', 'code.sass', '-o', 'out.packed'],
    'annotate from a cubin': ['trace', 'annotate', 'vecadd', '--code', 'vecadd.cubin', '-o', 'out'],
    'convert with code': ['trace', 'convert', 'vecadd.packed', '-o', 'out'],
    'cut': ['trace', 'cut', 'tiny', '--launches', '2', '-o', 'out.packed'],
    'verify': ['trace', 'verify', 'tiny'],
    'verify packed': ['trace', 'verify', 'tiny.packed'],
    'verify raw': ['trace', 'verify', 'raw'],
    'verify compressed': ['trace', 'verify', 'compressed'],
    'verify compressed in an archive': ['trace', 'verify', 'compressed.tar'],
    'verify context list': ['trace', 'verify', 'context'],
    'verify archive': ['trace', 'verify', 'tiny.tar'],
    'opcodes': ['trace', 'opcodes', 'tiny'],
    'info': ['trace', 'info', 'tiny'],
    'info packed': ['trace', 'info', 'tiny.packed'],
    'footprint': ['trace', 'footprint', 'tiny'],
    'profile': ['trace', 'profile', 'tiny', '-o', 'out.csv'],
    'group': ['trace', 'group', 'raw', '-o', 'out'],
    'memonly': ['trace', 'memonly', 'tiny', '-o', 'out'],
    'synth': ['trace', 'synth', 'dct8x8', '--scale', '0.01', '-o', 'out'],
    'config list': ['config', 'list'],
    'config help': ['config', 'help', 'gpgpu_n_mem'],
    'completion': ['completion', 'bash'],
    'accel-sim': ['accel-sim', '-trace', 'tiny/kernelslist.g', '-config', 'right.config'],
    'activity': ['activity', 'watched'],
    'config show': ['config', 'show', '-c', 'h100', '--set', 'gpgpu_n_clusters=2'],
    'config check': ['config', 'check', 'right.config'],
    'events': ['run', 'tiny', '-o', 'out', '-q', '--trace-events', '1', *SMALL],
    'report': ['report', 'finished', '-o', 'page.html'],
    'report of everything': ['report', 'watched', 'finished', '--baseline', 'modern', '-o', 'page.html'],
    'diff': ['diff', 'finished', 'finished'],
    'diff of models': ['diff', 'finished', 'modern'],
    'diff --check': ['diff', '--check', 'finished', 'finished'],
}


def start(arguments, folder, **variables):
    """Runs the command with the library, unless there are no VARIABLES for it."""
    if variables:
        variables = {name: str(value) for name, value in variables.items()}
        variables['LD_PRELOAD'] = LIBRARY
        if ALL_LIBRARIES:
            variables['FAIL_ALL'] = '1'
    return subprocess.run([HEARTH, *arguments], capture_output=True, cwd=folder, timeout=SECONDS,
                          env={**os.environ, 'MALLOC_PERTURB_': '165', **variables})


def files(folder):
    """Names and contents of all files below FOLDER; of what has seconds in it only the name."""
    found, here = {}, folder.encode()
    for place, folders, names in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(place, name), folder) + '/'] = b''
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, folder)] = b'' if name in TIMED else f.read().replace(here, b'')
    return found


def write(folder, name, text):
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), 'w') as f:
        f.write(text)


def listing(name):
    """The code of a kernel_text()."""
    insts = [('LDG.E', 8 << 16 | 0x981), ('FADD', 9 << 16 | 0x221), ('STG.E', 0x986), ('EXIT', 0x94d)]
    return 'Function : %s\n' % name + ''.join('/*%04x*/ %s ; /* 0x%016x */\n/* 0x%016x */\n' % (16 * i, opcode, low, 0)
                                              for i, (opcode, low) in enumerate(insts))


def make_inputs(folder):
    for number in (1, 2, 3):
        text = kernel_text('k%d' % number, number, 0x7f0000000000 + 512 * number)
        write(folder, 'tiny/kernel-%d.traceg' % number, text)
        write(folder, 'raw/kernel-%d.trace' % number, raw_text(text))
    names = ['kernel-%d.trace' % number for number in (1, 2, 3)]
    write(folder, 'tiny/kernelslist.g', 'MemcpyHtoD,0x7f0000001000,256\n' + ''.join(name + 'g\n' for name in names))
    shutil.copytree(os.path.join(folder, 'tiny'), os.path.join(folder, 'context'),
                    ignore=shutil.ignore_patterns('kernelslist*'))
    write(folder, 'context/kernelslist_ctx_0x1.g', ''.join(name + 'g\n' for name in names))
    write(folder, 'raw/kernelslist', ''.join(name + '\n' for name in names))
    write(folder, 'tiny/segments.plan', '!plan 1\nkernel-1.traceg\n!segment name=b\nkernel-2.traceg\n'
          '!flush level=all dirty=write\n!segment name=c\nkernel-1.traceg\nkernel-3.traceg\n')
    write(folder, 'code.sass', ''.join(listing('k%d' % number) for number in (1, 2, 3)))
    for name in ('vecadd.packed', 'vecadd.cubin'):
        shutil.copy(os.path.join(ROOT, 'tests', 'tools', 'h100', name), folder)
    text = kernel_text('_Z3addPKfS0_Pfi', 1).replace('binary version = 86', 'binary version = 90')
    text = re.sub('insts = 4\n(.*\n){3}0030', 'insts = 1\n0130', text)   # only the EXIT
    write(folder, 'vecadd', text)
    shutil.copy(os.path.join(ROOT, 'tests', 'estimate', 'saxpy2.sass'), folder)
    write(folder, 'cycles.measured', 'app,launch,kernel,grid,sm_cycles\n' +
          ''.join('finished,%d,k%d,2x1x1,%d\n' % (n, n, 400 + 10 * n) for n in (1, 2, 3)))
    write(folder, 'part.list', 'part\n')
    write(folder, 'sweep.spec', 'workload tiny\ncard rtx3070\noption gpgpu_n_clusters 1 2\noption gpgpu_n_mem 1\n'
          'method full\nmethod first-n count=1\nwarm none\n')
    write(folder, 'right.config', '-gpgpu_n_clusters 4\n-gpgpu_scheduler lrr\n')
    for arguments in (['trace', 'convert', 'tiny', '-o', 'tiny.packed'],
                      ['trace', 'annotate', 'tiny', '--code', 'code.sass', '--to', 'text', '-o', 'compressed', '-q'],
                      ['trace', 'profile', 'tiny', '-o', 'tiny.csv'],
                      ['sample', 'tiny', '--method', 'sieve', '-q', '-o', 'sieve.plan'],
                      ['run', 'tiny', '-q', '-o', 'finished', '--threads', '1', *SMALL],
                      ['run', 'tiny', '-q', '-o', 'modern', '--threads', '1', '--set', 'hearth_core=modern', *SMALL],
                      ['run', 'tiny', '-q', '-o', 'watched', '--threads', '1', '--parts', '--activity', '--cpi-stack',
                       '--intervals', '100', *SMALL],
                      ['run', 'tiny/segments.plan', '--segments', '1', '-q', '-o', 'part', '--threads', '1', *SMALL],
                      ['sweep', 'sweep.spec', '-o', 'swept', '-q', '--jobs', '1'],
                      ['trace', 'profile', 'tiny', '--cycles', 'finished', '-o', 'cycles.csv']):
        done = start(arguments, folder)
        if done.returncode != 0:
            sys.exit('%s: %s' % (' '.join(arguments), done.stderr.decode()))
    write_compressed(os.path.join(folder, 'compressed'))
    for archive, name in (('tiny.tar', 'tiny'), ('packed.tar', 'tiny.packed'), ('compressed.tar', 'compressed')):
        with tarfile.open(os.path.join(folder, archive), 'w') as tar:
            tar.add(os.path.join(folder, name), name)
    write_killed(folder)


def write_compressed(folder):
    """Compresses what the list names without a suffix, and the code of the kernels."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name != 'kernelslist.g':
            with open(path, 'rb') as plain, lzma.open(path + '.xz', 'w') as compressed:
                compressed.write(plain.read())
            os.remove(path)


def write_killed(folder):
    """What is left of a run that was killed after two of three launches."""
    run = COMMANDS['resume']
    log = os.path.join(folder, 'log')
    start(run, folder, FAIL_LOG=log)
    for at in range(len(places(log)), 0, -1):
        shutil.rmtree(os.path.join(folder, 'out'), ignore_errors=True)
        start(run, folder, KILL_AT=at)
        left = [name for name in os.listdir(folder) if name.startswith('out.part-')]
        if left and sorted(os.listdir(os.path.join(folder, left[0]))) == ['journal', 'state-1']:
            break
        for name in left:
            shutil.rmtree(os.path.join(folder, name))
    os.remove(log)


def raw_text(text):
    """A trace as the tracer writes it: a line names its block and warp."""
    head, *blocks = text.split('#BEGIN_TB\n')
    lines = []
    for block in blocks:
        where = re.search('thread block = ([0-9,]+)', block).group(1).replace(',', ' ')
        lines += ['%s 0 %s' % (where, line) for line in block.splitlines() if re.match('[0-9a-f]{4} ', line)]
    return head.rstrip('\n') + '\n\n#traces format = prose\n\n' + '\n'.join(lines) + '\n'


def places(log):
    with open(log, 'rb') as f:
        words = array.array('I')
        words.fromfile(f, 1)
        words.fromfile(f, words[0])
    return words[1:]


class Command:
    """One command, in a folder of its own for each allocation that fails."""

    def __init__(self, name, inputs, place):
        self.name, self.arguments, self.inputs, self.place = name, COMMANDS[name], inputs, place
        self.completed = set()      # what runs left and the same command completed
        os.mkdir(place)

    def folder(self, number):
        """A folder with the inputs; what belongs to the output is a copy."""
        folder = os.path.join(self.place, str(number))
        os.mkdir(folder)
        for name in os.listdir(self.inputs):
            path = os.path.join(self.inputs, name)
            if not name.startswith('out'):
                os.symlink(path, os.path.join(folder, name))
            elif '--resume' in self.arguments:
                shutil.copytree(path, os.path.join(folder, name))
        return folder

    def result(self, folder, done, whole=False):
        """WHOLE: with what has times and places in it."""
        found = {name: data for name, data in files(folder).items() if name.startswith('out')}
        if self.arguments[0] == 'sweep' and not whole:
            found = {name: data for name, data in found.items() if name.endswith('.csv')}
        return {'stdout': done.stdout, **found}

    def measure(self):
        """Learns the right result and which allocations there are."""
        folder = self.folder(0)
        log = os.path.join(folder, 'log')
        done = start(self.arguments, folder, FAIL_LOG=log)
        if done.returncode != 0:
            sys.exit('%s: %s' % (self.name, done.stderr.decode()))
        self.expected, found = self.result(folder, done), places(log)
        shutil.rmtree(folder)
        self.count = len(found)
        if self.count == 0:
            sys.exit('%s: the library does not see any allocation' % self.name)
        if STRIDE == 0:
            return range(1, len(found) + 1)
        first = {place: number for number, place in reversed(list(enumerate(found, 1)))}
        return sorted(first.values())[::STRIDE]

    def check(self, failing):
        """What is wrong when allocations fail, or None: a variable of the library and a number."""
        variable, number = failing
        folder = self.folder('%s-%d' % failing)
        try:
            done = start(self.arguments, folder, **{variable: number})
            wrong = self.judge(folder, done)
        except subprocess.TimeoutExpired:
            wrong = 'does not end'
        shutil.rmtree(folder)
        return wrong and '%s, %s=%d: %s' % (self.name, variable, number, wrong)

    def judge(self, folder, done):
        message, result = done.stderr.decode(), self.result(folder, done)
        if done.returncode == 0:
            # What could not be removed is removed by the next run.
            wrong = [name for name in {**result, **self.expected}
                     if result.get(name) != self.expected.get(name) and '.part-' not in name]
            return wrong and 'exit code 0, but different: ' + ' '.join(wrong)
        if done.returncode < 0:
            return signal.Signals(-done.returncode).name
        table = result.get('out/jobs.csv', b'').decode()    # with a message of each run of a sweep
        if not re.fullmatch(MESSAGE, message) and not (
                re.fullmatch(r'hearth: note: [^\n]* runs failed; [^\n]*\n', message) and re.search(SHORT, table)):
            return 'exit code %d: %r' % (done.returncode, message)
        if self.arguments[0] in ('run', 'study', 'sweep'):
            return self.resume(folder, self.result(folder, done, whole=True))
        left = [name for name in result if name != 'stdout' and result[name] != self.expected.get(name)]
        if left and all('.part' in name for name in left):
            return self.repeat(folder)
        return left and 'left behind: ' + ' '.join(left)

    def repeat(self, folder):
        """What could not be removed without memory is removed by the next run."""
        left = self.different(self.result(folder, start(self.arguments, folder)))
        return left and 'still left behind: ' + ' '.join(left)

    def different(self, result):
        """Where a queue of the simulator cannot grow, the process ends as if it were killed, with what it has of states."""
        return [name for name in {**result, **self.expected}
                if result.get(name) != self.expected.get(name) and '.states.part-' not in name]

    def resume(self, folder, left):
        """What was finished is kept; the same command completes it. What other runs left, too, is tried once."""
        key = hash(frozenset(left.items()))
        if key in self.completed:
            return None
        again = self.arguments[0] == 'run' and not NOT_RESUMED.intersection(self.arguments)
        extra = ['--resume'] if again else ['--retry'] if '-o' in self.arguments and self.arguments[0] == 'sweep' else []
        done = start(self.arguments + extra, folder)
        wrong = self.different(self.result(folder, done))
        if done.returncode != 0 or wrong:
            return 'cannot be completed: %s %s' % (done.stderr.decode(), ' '.join(wrong))
        self.completed.add(key)
        return None


def main():
    with tempfile.TemporaryDirectory(prefix='hearth-memory-') as place:
        inputs = os.path.join(place, 'inputs')
        os.mkdir(inputs)
        make_inputs(inputs)
        wrong, tested = [], 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name in NAMES or COMMANDS:
                command = Command(name, inputs, os.path.join(place, name.replace(' ', '-')))
                numbers = command.measure()
                failing = [(variable, number) for variable, step in (('FAIL_AT', 1), ('FAIL_FROM', 4))
                           for number in numbers[::step]]
                found = [text for text in pool.map(command.check, failing) if text]
                tested += len(failing)
                print('%s: %d of %d allocations' % (name, len(numbers), command.count), *found, sep='\n  ', flush=True)
                wrong += found
        print('%d tests, %d wrong' % (tested, len(wrong)))
        sys.exit(len(wrong) > 0)


main()
