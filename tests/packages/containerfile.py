"""Executes a Containerfile in clean systems: FROM, RUN, COPY, WORKDIR and ENTRYPOINT, as this project uses them."""
import glob
import json
import os
import shutil
import subprocess

from clean_root import CleanRoot


def instructions(path):
    """The lines as (word, rest); a backslash continues a line."""
    with open(path, encoding='utf-8') as f:
        text = f.read().replace('\\\n', ' ')
    for line in text.split('\n'):
        if line.strip() and not line.startswith('#'):
            word, _, rest = line.partition(' ')
            yield word, rest.strip()


class Build:
    """The stages of a Containerfile, each a CleanRoot; `entry` is the command of the last one."""

    def __init__(self, context, base, folder, log):
        self.context, self.base, self.folder, self.log = context, base, folder, log
        self.stages, self.last, self.entry = {}, None, None
        try:
            for word, rest in instructions(os.path.join(context, 'Containerfile')):
                getattr(self, 'do_' + word.lower())(rest)
        except BaseException:
            self.close()
            raise

    def do_from(self, rest):
        words = rest.split()
        if words[0] != 'debian:bookworm-slim':
            raise ValueError('FROM %s: not a system that debootstrap makes' % words[0])
        name = words[2] if len(words) == 3 and words[1] == 'AS' else str(len(self.stages))
        self.last = self.stages[name] = CleanRoot(self.base, os.path.join(self.folder, name))

    def do_run(self, rest):
        print('RUN', rest, file=self.log, flush=True)
        self.last.run(rest, self.log)

    def do_workdir(self, rest):
        os.makedirs(self.last.path(rest), exist_ok=True)
        self.last.where = rest

    def do_entrypoint(self, rest):
        self.entry = json.loads(rest)

    def do_copy(self, rest):
        *sources, target = rest.split()
        target = self.last.path(target)
        os.makedirs(target, exist_ok=True)
        if sources[0].startswith('--from='):
            stage = self.stages[sources[0].partition('=')[2]]
            for name in glob.glob(stage.path(sources[1])):
                shutil.copy(name, target)
        else:  # the files that git knows, or would add
            listed = subprocess.run(['git', '-C', self.context, 'ls-files', '-co', '--exclude-standard', '-z'], check=True,
                                    stdout=subprocess.PIPE).stdout
            packed = subprocess.run(['tar', '-C', self.context, '--null', '-T', '-', '-c'], input=listed, check=True,
                                    stdout=subprocess.PIPE).stdout
            subprocess.run(['tar', '-C', target, '-x'], input=packed, check=True)

    def close(self):
        for stage in self.stages.values():
            stage.close()
