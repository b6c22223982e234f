"""hearth calibrate with the rows of an H100: it finds the bundled card again."""
import os
import sys
import unittest

from case import Case, HEARTH, ROOT
from cards import Cards, PARAMETERS, field

CALIBRATION = os.path.join(ROOT, 'tracer/calibration')
# Parameters whose bundled value rests on more than these rows, and how much of it the rows say. docs/calibration.md
# gives the reasons.
OTHERWISE = {
    'hearth_gpc_port': (0.94, 1.06),
    'hearth_block_interval': (1.0, 1.2),
    'hearth_l1_long_load': (0.3, 0.5),
    'hearth_l2_far_latency': (0.88, 1.0),
}


class H100(Case):
    def test_reproduces_the_bundled_card(self):
        cards = Cards(HEARTH, CALIBRATION, self.place)
        base = cards.card('h100')
        text, found = cards.calibrate(os.path.join(CALIBRATION, 'h100.csv'), 'found.config', 'h100')
        print(text)
        for name, place, _ in PARAMETERS:
            bundled, value = float(field(base[name], place)), float(field(found[name], place))
            with self.subTest(name):
                if name in OTHERWISE:
                    least, most = OTHERWISE[name]
                    self.assertTrue(least * bundled <= value <= most * bundled, (bundled, value))
                else:
                    self.assertLessEqual(abs(value - bundled), max(1, 0.05 * bundled), (bundled, value))
        changed = {name for name, _, _ in PARAMETERS}
        self.assertEqual({k: v for k, v in found.items() if k not in changed},
                         {k: v for k, v in base.items() if k not in changed})


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
