"""Cards with parameters changed at random, and whether `hearth calibrate` finds them again."""
import csv
import os
import random
import re
import shutil
import subprocess

# What is changed: the option, the field of its value (None: it has one), and the values. An option's other
# fields, and all other parameters, stay those of the card.
LAUNCHES = (
    ('gpgpu_kernel_launch_latency', None, range(500, 9000)),
    ('hearth_block_start_latency', None, range(20, 400)),
    ('hearth_block_interval_warp', None, range(1, 12)),
    ('hearth_block_interval', None, range(1, 60)),
    ('hearth_block_turnaround', None, range(20, 300)),
)
# Of the core model legacy. A latency is not much shorter than the interval: dependent instructions would then show
# the interval only.
LEGACY = (
    ('trace_opcode_latency_initiation_sp', 0, range(4, 20)),
    ('trace_opcode_latency_initiation_sp', 1, range(1, 9)),
    ('trace_opcode_latency_initiation_int', 0, range(4, 20)),
    ('trace_opcode_latency_initiation_int', 1, range(1, 9)),
    ('trace_opcode_latency_initiation_dp', 0, range(4, 60)),
    ('trace_opcode_latency_initiation_dp', 1, range(1, 9)),
    ('trace_opcode_latency_initiation_sfu', 0, range(12, 60)),
    ('trace_opcode_latency_initiation_sfu', 1, range(2, 17)),
    ('trace_opcode_latency_initiation_spec_op_3', 0, range(12, 60)),
    ('trace_opcode_latency_initiation_spec_op_3', 1, range(2, 17)),
)
# Wider ports of GPCs than 448 bytes are no limit: L2 moves no more.
MEMORY = (
    ('gpgpu_smem_latency', None, range(8, 60)),
    ('gpgpu_l1_latency', None, range(15, 80)),
    ('gpgpu_l2_rop_latency', None, range(100, 500)),
    ('hearth_l2_far_latency', None, range(60, 400)),
    ('hearth_gpc_port', None, range(192, 449, 32)),
    ('hearth_l2_write_port', None, (8, 16, 32)),
    ('dram_latency', None, range(50, 600)),
    ('hearth_l2_fetch', None, (32, 64, 128)),
    ('hearth_l2_atomic_lanes', None, range(20, 120)),
    ('hearth_posted_reductions', None, range(50, 500)),
)
# Of the core model modern. Long loads take a cycle more for each so many words or sectors of 32, so that larger
# values cannot be told apart. Lines that L1 has sooner than in 28 cycles are fetched ahead in time.
MODERN = (
    ('hearth_special_latency', None, range(10, 60)),
    ('hearth_shuffle_latency', None, range(15, 60)),
    ('hearth_wide_latency', None, range(1, 12)),
    ('hearth_tensor_interval', None, range(4, 24)),
    ('hearth_branch_latency', None, range(6, 40)),
    ('hearth_barrier_latency', None, range(5, 60)),
    ('hearth_barrier_interval', None, range(1, 8)),
    ('hearth_membar_cta_latency', None, range(5, 100)),
    ('hearth_membar_gpu_latency', None, range(200, 2000)),
    ('hearth_reconvergence_latency', None, range(5, 60)),
    ('hearth_indirect_latency', None, range(10, 120)),
    ('hearth_indirect_divergence', None, range(20, 200)),
    ('hearth_icache_near_latency', None, range(60, 150)),
    ('hearth_icache_l1_latency', None, range(28, 60)),
    ('hearth_gcc_latency', None, range(15, 90)),
    ('hearth_icache_l2_latency', None, range(10, 300)),
    ('hearth_const_load_latency', None, range(20, 200)),
    ('hearth_shared_long_load', None, range(4, 9)),
    ('hearth_l1_long_load', None, range(2, 7)),
)
PARAMETERS = LAUNCHES + MODERN + MEMORY


class Cards:
    """HEARTH, the folder tracer/calibration and a folder for files."""

    def __init__(self, hearth, calibration, place):
        self.hearth, self.place = hearth, place
        self.trace = os.path.join(calibration, 'launches.packed')
        with open(os.path.join(calibration, 'h100.csv'), newline='') as f:
            self.launches = [(row['launch'], row['label'], row['mechanism'], row['work'], row['grid'], row['block'])
                             for row in csv.DictReader(f)]

    def path(self, name):
        return os.path.join(self.place, name)

    def run(self, *arguments):
        done = subprocess.run([self.hearth, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError('%s: exit %d, %s' % (' '.join(arguments), done.returncode, done.stderr))
        return done.stdout

    def values(self, config):
        """Options of a configuration file, as text."""
        with open(config) as f:
            found = re.findall(r'^-(\S+) +(\S+)', f.read(), re.M)
        return dict(found)

    def card(self, card):
        """The options of a bundled card."""
        with open(self.path('base.config'), 'w') as f:
            f.write(self.run('config', 'show', '-c', card))
        return self.values(self.path('base.config'))

    def legacy(self, card):
        """The path of a file: the bundled card with the core model that the options of ALU latencies are for, and
        without page walks, which the first launch alone has, also of those that calibrate simulates apart."""
        path = self.path(card + '-legacy.config')
        with open(path, 'w') as f:
            f.write(self.run('config', 'show', '-c', card, '--set', 'hearth_core=legacy', '--set',
                             'gpgpu_scheduler=lrr', '--set', 'hearth_page_walk=0'))
        return path

    def rows(self, name, card, sets, launches=None):
        """Writes rows as if a card with SETS had been measured."""
        arguments = [word for key, value in sets.items() if key != 'gpgpu_kernel_launch_latency'
                     for word in ('--set', '%s=%s' % (key, value))]
        out = self.path('run')
        shutil.rmtree(out, ignore_errors=True)
        self.run('run', self.trace, '-c', card, *arguments, '--set', 'gpgpu_kernel_launch_latency=0', '--threads', '1',
                 '--launches', launches or '1-%d' % len(self.launches), '-q', '-o', out)
        with open(os.path.join(out, 'kernels.csv'), newline='') as f:
            cycles = {row['launch']: int(row['cycles']) for row in csv.DictReader(f)}
        latency = int(sets['gpgpu_kernel_launch_latency'])
        with open(self.path(name), 'w', newline='') as f:
            writer = csv.writer(f)
            writer.writerow('launch label mechanism work grid block sm_cycles gpc_cycles'.split())
            for row in self.launches:
                if row[0] in cycles:
                    writer.writerow([*row, cycles[row[0]], cycles[row[0]] + latency])
        return self.path(name)

    def calibrate(self, rows, name, card):
        """Returns what `hearth calibrate` prints, and the options that it found."""
        text = self.run('calibrate', rows, '--from', card, '-o', self.path(name), '-f')
        return text, self.values(self.path(name))


def field(text, number):
    """A field of a value, or all of it."""
    return text if number is None else re.split('[,:]', text)[number]


def replaced(text, number, value):
    if number is None:
        return str(value)
    fields = text.split(',')
    fields[number] = str(value)
    return ','.join(fields)


def random_card(base, chance, count, among=PARAMETERS):
    """COUNT of the parameters at random: [(option, field, value)], and their options as --set takes them."""
    chosen = [(name, place, chance.choice(list(values))) for name, place, values in chance.sample(among, count)]
    sets = {'gpgpu_kernel_launch_latency': base['gpgpu_kernel_launch_latency']}
    for name, place, value in chosen:
        sets[name] = replaced(sets.get(name, base[name]), place, value)
    return chosen, sets


def wrong(chosen, found, tolerance=0.05):
    """Those of the parameters that were not found: [(option, field, value, found)]."""
    return [(name, place, value, field(found[name], place)) for name, place, value in chosen
            if abs(float(field(found[name], place)) - value) > tolerance * value]
