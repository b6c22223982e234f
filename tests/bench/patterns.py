"""Synthetic traces for benchmarks: one access or instruction pattern each, as large as asked.

write(kind, folder, blocks) writes FOLDER/kernelslist.g with one launch of BLOCKS thread blocks of 256 threads.
The output depends on its arguments alone.
"""
import os

WARPS = 8
BASE = 0x7f1000000000
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


def inst(pc, text):
    return '%04x ffffffff %s' % (pc, text)


def load(address, stride=4, width='LDG.E', dst=8):
    return '1 R%d %s 1 R4 4 1 0x%x %d 0' % (dst, width, address, stride)


def store(address, stride=4, src=8):
    return '0 STG.E 2 R6 R%d 4 1 0x%x %d 0' % (src, address, stride)


def alu(opcode, dst, *sources):
    return '1 R%d %s %d %s0 0' % (dst, opcode, len(sources), ''.join('R%d ' % s for s in sources))


@kind
def fma(block, warp):
    body = [load(BASE + (block * WARPS + warp) * 128)]
    body += [alu('FFMA', 8 + i % 8, 8 + i % 8, 18, 19) for i in range(192)]
    return body + [store(BASE + (1 << 30) + (block * WARPS + warp) * 128)]


@kind
def mixed(block, warp):
    loop = [('IMAD', 9, 9, 10), ('FFMA', 8, 8, 12, 13), ('IADD3', 10, 10, 9, 14), ('LOP3.LUT', 11, 10, 9),
            ('FADD', 12, 8, 12), ('I2F.U32', 13, 14), ('FMUL', 15, 13, 12), ('SEL', 16, 9, 10), ('MUFU.RCP', 17, 15)]
    body = [load(BASE + (block * WARPS + warp) * 128)]
    body += [alu(*op) for _ in range(18) for op in loop]
    return body + [store(BASE + (1 << 30) + (block * WARPS + warp) * 128)]


@kind
def tiles(block, warp):
    body = []
    for tile in range(4):
        body += [load(BASE + ((block * 4 + tile) * WARPS + warp) * 128),
                 '0 STS 2 R7 R8 4 1 0x%x 4 0' % (warp * 128), '0 BAR.SYNC 0 0 0']
        for k in range(12):
            body += ['1 R%d LDS 1 R7 4 1 0x%x 4 0' % (9 + k % 4, (warp + k) % WARPS * 128),
                     alu('FFMA', 16, 9 + k % 4, 20, 16), alu('FFMA', 17, 9 + k % 4, 21, 17)]
        body += ['0 BAR.SYNC 0 0 0']
    return body + [store(BASE + (1 << 30) + (block * WARPS + warp) * 128, src=16)]


@kind
def stream(block, warp):
    at = (block * WARPS + warp) * 4 * 128
    return [line for i in range(4) for line in (
        load(BASE + at + i * 128), load(BASE + (1 << 30) + at + i * 128, dst=9), alu('FADD', 10, 8, 9),
        store(BASE + (2 << 30) + at + i * 128, src=10))]


def strided(block, warp, words, loads):
    at = (block * WARPS + warp) * loads * 128 * words
    body = []
    for i in range(loads):
        body += [load(BASE + at + i * 128 * words, 4 * words), alu('FADD', 9, 8, 9)]
    return body + [store(BASE + (1 << 30) + (block * WARPS + warp) * 128, src=9)]


@kind
def stride2(block, warp):
    return strided(block, warp, 2, 4)


@kind
def stride8(block, warp):
    return strided(block, warp, 8, 1)


@kind
def stride32(block, warp):
    return strided(block, warp, 32, 1)


def scattered(block, warp, sectors, loads):
    """Loads of sectors in no order, after loads of their numbers."""
    body = []
    for i in range(loads):
        seed = (block * WARPS + warp) * loads + i
        lanes = ' '.join('0x%x' % (BASE + ((seed * 32 + lane) * 2654435761 % sectors) * 32) for lane in range(32))
        body += [load(BASE + (2 << 30) + seed * 128, dst=10), alu('IMAD.WIDE', 4, 10, 3),
                 '1 R8 LDG.E 1 R4 4 0 %s 0' % lanes, alu('FADD', 9, 8, 9)]
    return body + [store(BASE + (1 << 30) + (block * WARPS + warp) * 128, src=9)]


@kind
def gather(block, warp):
    """16 MiB, as the gather of index-driven kernels whose data fit a few times L2."""
    return scattered(block, warp, 1 << 19, 4)


@kind
def random(block, warp):
    """128 MiB: every sector in a row of its own."""
    return scattered(block, warp, 1 << 22, 3)


@kind
def writeback(block, warp):
    at = (block * WARPS + warp) * 4 * 128
    return [line for i in range(4) for line in (
        store(BASE + at + i * 128), load(BASE + (at + i * 128 + (1 << 25)) % (1 << 26)), alu('FADD', 9, 8, 9))]


def write(name, folder, blocks):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'kernel-1.traceg'), 'w') as out:
        out.write('-kernel name = %s\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = %d\n'
                  '-nregs = 32\n-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n'
                  '-enable lineinfo = 0\n\n#traces\n' % (name, blocks, WARPS * 32, 4096 if name == 'tiles' else 0))
        for block in range(blocks):
            out.write('#BEGIN_TB\nthread block = %d,0,0\n' % block)
            for warp in range(WARPS):
                lines = KINDS[name](block, warp) + ['0 EXIT 0 0 0']
                out.write('warp = %d\ninsts = %d\n' % (warp, len(lines)))
                out.write('\n'.join(inst(16 * i, line) for i, line in enumerate(lines)) + '\n')
            out.write('#END_TB\n')
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as out:
        out.write('kernel-1.traceg\n')
