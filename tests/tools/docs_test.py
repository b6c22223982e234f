"""Usage: docs_test.py ROOT: links in the documentation resolve, and the paths that it names exist."""
import glob
import os
import re
import sys
import unittest

ROOT = os.path.abspath(sys.argv[1])
FOLDERS = 'traces|sim|estimate|sampling|warmup|tools|tests|tracer|docs|demo'
# A path from the root of the repository, not from a build folder.
PATH = re.compile(r'(?<![\w./$\\-])((?:%s)/[\w.*/-]*[\w*])' % FOLDERS)
PAGE = re.compile(r'docs/[\w./-]+\.md')
FENCE = re.compile(r'^```.*?^```', re.M | re.S)
SOURCES = ('.c', '.h', '.cc', '.def', '.py', '.build', '.1', '.md')


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def files(*suffixes):
    """Paths from the root; build folders and the like are left out."""
    for folder in ('.', *FOLDERS.split('|')):
        for place, below, names in os.walk(os.path.join(ROOT, folder)):
            below[:] = [] if folder == '.' else [name for name in below if not name.startswith(('.', '__'))]
            for name in names:
                if name.endswith(suffixes):
                    yield os.path.relpath(os.path.join(place, name), ROOT)


def anchors(text):
    """The names that a host gives to the headings of a page."""
    for heading in re.findall(r'^#+ (.*)$', FENCE.sub('', text), re.M):
        yield re.sub(r'[^\w -]', '', re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading).lower()).replace(' ', '-')


def exists(path):
    """Itself, or what it is built from: a program has the name of its source. NAME stands for any name."""
    path = os.path.join(ROOT, path.replace('NAME', '*'))
    return bool(glob.glob(path) or glob.glob(path + '.cu'))


def broken_links(page):
    for link in re.findall(r'\]\(([^)\s]+)\)', FENCE.sub('', read(page))):
        path, _, anchor = link.partition('#')
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if re.match(r'[a-z]+:', link):
            continue
        if not os.path.exists(os.path.join(ROOT, target)) or (anchor and anchor not in anchors(read(target))):
            yield '%s: %s' % (page, link)


def missing(pattern, page):
    return ['%s: %s' % (page, path) for path in pattern.findall(read(page)) if not exists(path)]


class Documentation(unittest.TestCase):
    maxDiff = None

    def test_links(self):
        self.assertEqual([link for page in files('.md') for link in broken_links(page)], [])

    def test_paths(self):
        self.assertEqual([path for page in files('.md', '.1') for path in missing(PATH, page)], [])

    def test_pages_that_sources_name(self):
        self.assertEqual([path for source in files(*SOURCES) for path in missing(PAGE, source)], [])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
