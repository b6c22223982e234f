"""Tests of hearth report: the page as text, and in a headless browser if there is one.

usage: report_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from case import Case, demo

BROWSER = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
SECTIONS = ('light', 'kernels', 'cpi', 'time', 'roofline', 'memory', 'intervals', 'parts', 'activity', 'launches')
EMPTY = {'meta', 'br', 'input'}
# Appended to a page: acts as a reader does, and leaves what it saw in an element.
READER = '''<script>
const seen = {};
const column = (table, c) => [...table.tBodies[0].rows].map(r => r.cells[c].textContent);
const click = (table, c) => table.tHead.rows[0].cells[c].firstElementChild.click();
const state = (table, c) => table.tHead.rows[0].cells[c].getAttribute('aria-sort');
const kernels = document.querySelector('table.s'), launches = document.querySelector('.long table');
click(kernels, 2); seen.down = [state(kernels, 2), column(kernels, 2)];
click(kernels, 2); seen.up = [state(kernels, 2), column(kernels, 2)];
click(kernels, 0); seen.names = column(kernels, 0);
seen.hover = kernels.tBodies[0].rows[0].cells[0].title;
seen.first = column(launches, 0).length;
click(launches, 6); seen.longest = column(launches, 6).slice(0, 3);
const find = document.querySelector('.long input');
find.value = FILTER; find.dispatchEvent(new Event('input')); seen.found = column(launches, 1);
find.value = ''; find.dispatchEvent(new Event('input'));
[...document.querySelectorAll('.long button')].find(b => b.textContent === 'next').click();
seen.second = column(launches, 0).length;
seen.focus = [...document.querySelectorAll('th')].every(th => th.querySelector('button').tabIndex === 0);
seen.wide = document.documentElement.scrollWidth > innerWidth;
const place = document.createElement('pre'); place.id = 'seen'; place.textContent = JSON.stringify(seen);
document.body.append(place);
</script>'''


class Tags(html.parser.HTMLParser):
    """Checks that elements are closed in order, and collects ids, references and links."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.loads, self.wrong = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attributes:
            if name == 'id':
                self.ids.append(value)
            elif name == 'href':
                self.links.append(value)
            elif name in ('src', 'srcset', 'data', 'action'):
                self.loads.append(value)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Pages(Case):
    COMMAND = ('report',)
    FULL = ('--cpi-stack', '--parts', '--activity', '--intervals', '500', '-q')

    def page(self, *arguments):
        out = self.path('page.html')
        self.assertEqual(self.hearth('report', *arguments, '-o', out).stdout, out + '\n')
        with open(out, encoding='utf-8') as f:
            return f.read()

    def run_demo(self, out, *arguments, name='dct8x8'):
        self.hearth('run', demo(name), '-q', '-o', self.path(out), *arguments)
        return self.path(out)

    def made(self, name, kernels):
        """Results with a launch for each name of a kernel; each takes a cycle less than the one before."""
        lines = ['step,launch,kernel,stream,grid,block,role,cycles,start_cycle,warp_insts,thread_insts']
        start = 0
        for step, kernel in enumerate(kernels, 1):
            cycles = 100000 - step
            lines.append('%d,%d,"%s",%d,4x1x1,32x1x1,measure,%d,%d,100,3200' % (
                step, step, kernel.replace('"', '""'), step % 3, cycles, start))
            start += cycles
        self.write(name + '/kernels.csv', ''.join(line + '\n' for line in lines))
        self.write(name + '/config.out', self.hearth('config', 'show').stdout)
        return self.path(name)

    def check(self, page):
        """A page refers to nothing outside itself, and all its links have a target."""
        tags = Tags()
        tags.feed(page)
        self.assertEqual((tags.open, tags.wrong, tags.loads), ([], [], []))
        self.assertEqual(len(tags.ids), len(set(tags.ids)))
        for link in tags.links:
            self.assertIn(link, {'#' + name for name in tags.ids})
        self.assertEqual(set(re.findall(r'https?://[^"]*', page)), {'http://www.w3.org/2000/svg'})
        return tags


class Report(Pages):
    def test_all_sections(self):
        run = self.run_demo('a', '-c', 'a100', '--set', 'dram_latency=300', *self.FULL)
        page = self.page(run)
        self.assertEqual([name for name in self.check(page).ids if name in SECTIONS], list(SECTIONS))
        self.assertNotIn('Not counted', page)
        for fact in ('<dd>a100</dd>', '<dd>dram_latency=300</dd>', '108 SMs at 1410 MHz', '<dd>Hearth ', '--cpi-stack --parts',
                     'title="CUDAkernel2DCT(float*, float*, int)"'):
            self.assertIn(fact, page)
        self.assertRegex(page, r'<dt>date</dt>\n<dd>20\d\d-')
        total = sum(int(row['cycles']) for row in self.rows('a')) / 1410
        self.assertIn('<b>%.1f µs</b>' % total, page)

    def test_without_options(self):
        page = self.page(self.run_demo('a'))
        self.check(page)
        self.assertEqual(re.findall('Not counted: hearth run (.*) counts it', page), ['--cpi-stack', '--intervals N', '--parts', '--activity'])

    def test_baseline(self):
        slow, fast = self.run_demo('slow', '--set', 'gpgpu_l2_rop_latency=800'), self.run_demo('fast')
        page = self.page(fast, '--baseline', slow)
        self.check(page)
        ratio = [sum(int(row['cycles']) for row in self.rows(name)) for name in ('slow', 'fast')]
        self.assertIn('<i class="good">%.3f× the baseline</i>' % (ratio[0] / ratio[1]), page)
        self.assertIn('fast against slow', page)
        self.assertIn('gpgpu_l2_rop_latency', page)
        several = self.page(slow, fast, fast)
        self.assertIn('<h1>slow, ', several)
        self.assertEqual(len(re.findall('<h2 id="run', several)), 3)
        links = self.check(several).links
        for number in ('', '-2', '-3'):     # each run has all its parts, and links to them
            self.assertEqual([link for link in links if link in ['#' + name + number for name in SECTIONS]],
                             ['#' + name + number for name in SECTIONS])

    def test_many_options_are_folded(self):
        """Results come before the hundred options in which cards differ."""
        page = self.page(self.run_demo('a'), self.run_demo('b', '-c', 'h100'))
        self.check(page)
        folded, = re.findall(r'<details><summary>(\d+) rows</summary>.*?</details>', page, re.S)
        self.assertGreater(int(folded), 40)
        self.assertIn('</details>\n<h3>Kernels', page)

    def test_activity(self):
        """The energy of a component is that of its events, as in activity.csv."""
        page = self.page(self.run_demo('a', '--activity'))
        events = [row for row in self.rows('a', 'activity.csv') if row['step'] == 'all']
        energy = {}
        for row in events:
            self.assertIn('<td>%s</td><td>%s</td>' % (row['event'], row['unit']), page)
            energy[row['component']] = energy.get(row['component'], 0) + 1e-6 * float(row['picojoules'] or 0)
        total = sum(energy.values())
        self.assertIn('%.4g µJ in all' % total, page)
        for component in ('registers', 'L1', 'L2'):
            self.assertIn('%.3g µJ, %.1f %%' % (energy[component], 100 * energy[component] / total), page)
        self.write('a/activity.csv', 'step,component,event,unit,count,picojoules\nall,L1,x,y,1,much\n')
        self.fails(3, 'activity.csv:2:14: energy "much": expected a number', self.path('a'), '-o', self.path('page.html'))

    def test_size(self):
        """10,000 launches in less than 5 MB; of more, the longest."""
        self.assertLess(len(self.page(self.made('many', ['kernel_%d' % (n % 50) for n in range(10000)]))), 5e6)
        self.assertIn('The 10000 longest of 10001 launches', self.page(self.made('more', ['k'] * 10001)))

    def test_names_are_escaped(self):
        bad = '</script><img src=x onerror=alert(1)>"&'
        page = self.page(self.made('bad', [bad, 'k']))
        self.check(page)
        self.assertNotIn('<img', page)

    def test_without_run_json(self):
        """Version and date are those of other files, and it is said what is not known."""
        run = self.run_demo('a')
        version = self.json('run.json', 'a')['version']
        os.remove(self.path('a', 'run.json'))
        os.utime(self.path('a', 'kernels.csv'), (86400, 86400))
        page = self.page(run)
        self.check(page)
        for fact in ('<dd>Hearth %s</dd>' % version, '<dd>1970-01-02T00:00:00Z, of kernels.csv</dd>',
                     '<dd>workload, command and host: there is no run.json</dd>'):
            self.assertIn(fact, page)
        os.remove(self.path('a', 'stats.txt'))
        self.assertIn('<dt>version</dt>\n<dd>unknown</dd>', self.page(run))

    def test_two_workloads(self):
        """A page may have both; it says that nothing can be compared."""
        page = self.page(self.run_demo('a'), self.run_demo('b', name='gemm'))
        self.check(page)
        self.assertRegex(page, r'b is of another workload, [^<]*gemm[^<]*: no launch agrees in number and kernel\.')
        self.assertNotIn('points</i>', page)

    def test_a_sweep(self):
        self.write('sweep/sweep.jobs', '')
        self.fails(3, 'a folder of hearth sweep; its runs are store/JOB/results in it', self.path('sweep'))

    def test_what_is_replaced(self):
        """A page is, another file only with --force."""
        run, page, mine = self.made('one', ['k']), self.path('page.html'), self.path('mine')
        for _ in range(2):
            self.hearth('report', run, '-o', page)
        self.write('mine', 'mine')
        self.fails(4, 'mine', run, '-o', mine)
        self.assertEqual(self.text('mine'), 'mine')
        self.hearth('report', run, '-o', mine, '--force')
        self.assertEqual(self.text('mine'), self.text('page.html'))

    def test_standard_output(self):
        run = self.made('one', ['k'])
        self.assertEqual(self.hearth('report', run, '-o', '-').stdout, self.page(run))

    def test_bad_input(self):
        run = self.made('one', ['k'])
        self.fails(2, 'expected 1 to 17 folders of results, got 0')
        self.fails(3, 'nothing/config.out', self.path('nothing'))
        self.fails(2, 'one/kernels.csv', run, '-o', self.path('one', 'kernels.csv'))
        self.fails(4, 'no/such/page.html', run, '-o', self.path('one/kernels.csv/no/such/page.html'))
        self.write('one/parts.csv', 'step,part,number\n1,warp,0\n')
        self.fails(3, 'part warp 0: not what a run writes', run, '-o', self.path('page.html'))
        self.write('one/intervals.csv', 'step\n1\n')
        self.fails(3, 'no column begin_cycle', run, '-o', self.path('page.html'))
        self.fails(3, 'it has no measured launch', self.made('none', []), '-o', self.path('page.html'))
        self.assertFalse(os.path.exists(self.path('page.html')))


@unittest.skipUnless(BROWSER, 'no chromium: pages are not tried in a browser')
class Browser(Pages):
    def browse(self, page, filter_by, width=1600):
        """What READER saw in PAGE; there must be no message in the console."""
        self.write('seen.html', page.replace('</body>', READER.replace('FILTER', json.dumps(filter_by)) + '</body>'))
        done = subprocess.run([BROWSER, '--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr',
                               '--user-data-dir=' + self.path('profile'), '--window-size=%d,1000' % width, '--dump-dom',
                               'file://' + self.path('seen.html')], capture_output=True, text=True, timeout=120)
        self.assertEqual([line for line in done.stderr.splitlines() if 'CONSOLE' in line], [])
        return json.loads(html.unescape(re.search('<pre id="seen">(.*?)</pre>', done.stdout, re.S)[1]))

    def test_reader(self):
        page = self.page(self.run_demo('a', *self.FULL))
        cycles, names = {}, {}
        for row in self.rows('a'):
            cycles[row['kernel']] = cycles.get(row['kernel'], 0) + int(row['cycles'])
            names[row['kernel']] = re.match(r'_Z\d+([A-Za-z0-9]+?)(P|$)', row['kernel'])[1]
        for width in (500, 1600):
            seen = self.browse(page, '1IDCT', width)
            down = ['%.2f' % (c / 1132) for c in sorted(cycles.values(), reverse=True)]
            self.assertEqual(seen['down'], ['descending', down])
            self.assertEqual(seen['up'][0], 'ascending')
            self.assertEqual(seen['up'][1], sorted(down, key=float))
            self.assertEqual(seen['names'], sorted(names.values(), key=str.lower))
            self.assertIn('(float*', seen['hover'])
            longest = sorted((int(row['cycles']) for row in self.rows('a')), reverse=True)[:3]
            self.assertEqual(seen['longest'], ['%g' % round(c / 1132, 2) for c in longest])
            self.assertEqual(seen['found'], ['CUDAkernel1IDCT'] * 4)
            self.assertEqual((seen['first'], seen['second']), (100, 18))
            self.assertTrue(seen['focus'])
            self.assertFalse(seen['wide'], 'the page is wider than its window of %d pixels' % width)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
