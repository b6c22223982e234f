"""A cluster of one node on this machine: real munged, slurmctld and slurmd, with all files in a folder."""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scontrol')
CONFIG = '''ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=0,bf_interval=1
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
SlurmdTimeout=5
SlurmctldTimeout=5
ReturnToService=2
KillWait=2
MinJobAge=2
MaxArraySize=11
NodeName={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE OverTimeLimit=0 State=UP
'''


def missing():
    """Programs that are not installed."""
    path = os.environ.get('PATH', '') + ':/usr/sbin:/sbin'
    return [name for name in PROGRAMS if shutil.which(name, path=path) is None]


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, place, cpus=8):
        self.place, self.processes = place, {}
        self.user = pwd.getpwuid(os.getuid()).pw_name
        self.host = socket.gethostname().split('.')[0]
        os.chmod(place, 0o755)
        for name in ('state', 'spool'):
            os.makedirs(os.path.join(place, name))
        with open(os.path.join(place, 'munge.key'), 'wb') as f:
            f.write(os.urandom(1024))
        os.chmod(f.name, 0o600)
        self.config = os.path.join(place, 'slurm.conf')
        with open(self.config, 'w') as f:
            f.write(CONFIG.format(place=place, user=self.user, host=self.host, cpus=cpus,
                                  ports=(free_port(), free_port())))
        self.environment = dict(os.environ, SLURM_CONF=self.config,
                                PATH=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')

    def start(self):
        def at(name):
            return os.path.join(self.place, name)
        self.launch('munged', '--foreground', '--force', '--socket', at('munge.socket'), '--key-file', at('munge.key'),
                    '--pid-file', at('munge.pid'), '--log-file', at('munge.log'), '--seed-file', at('munge.seed'))
        self.wait(lambda: os.path.exists(at('munge.socket')), 'munged')
        self.launch('slurmctld', '-D')
        self.start_node()
        self.wait(lambda: self.node() == 'idle', 'the node')

    def launch(self, name, *arguments):
        log = open(os.path.join(self.place, name + '.out'), 'ab')
        self.processes[name] = subprocess.Popen([name, *arguments], env=self.environment, stdout=log, stderr=log,
                                                start_new_session=True)
        log.close()

    def start_node(self):
        self.launch('slurmd', '-D')

    def lose_node(self, jobs):
        """What a power failure does: the daemon, its helpers and the JOBS, processes, are gone at once."""
        self.kill('slurmd')
        for pid in self.helpers() + list(jobs):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def helpers(self):
        """slurmstepd of this cluster: processes of that name with its configuration."""
        found = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open('/proc/%s/comm' % pid) as f:
                    name = f.read().strip()
                with open('/proc/%s/environ' % pid, 'rb') as f:
                    ours = self.config.encode() in f.read()
            except OSError:
                continue
            if name == 'slurmstepd' and ours:
                found.append(int(pid))
        return found

    def kill(self, name):
        process = self.processes.pop(name, None)
        if process is not None:
            process.kill()
            process.wait()

    def stop(self):
        for pid in self.helpers():
            os.kill(pid, signal.SIGKILL)
        for name in ('slurmd', 'slurmctld', 'munged'):
            self.kill(name)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False).stdout

    def node(self):
        return self.call('sinfo', '-h', '-o', '%T').strip()

    def wait(self, done, what, seconds=60):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError('%s: %s' % (what, self.call('scontrol', 'show', 'node')))
            time.sleep(0.2)
