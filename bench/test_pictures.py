"""What `make pictures` writes into a document, without measuring anything: python3 -m unittest discover -s bench"""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import pictures

PROFILE = {
    "samples": [2000, 0, 30], "seconds": 20.0,
    "classes": [{"class": "app", "share": {"value": 0.67, "interval": [0.6494, 0.6902]}},
                {"class": "server", "share": {"value": 0.04, "interval": [0.0323, 0.0495]}},
                {"class": "library", "share": {"value": 0.0, "interval": [0.0, 0.00192]}}],
    "functions": [{"function": "parse (ast.py:33)", "own": 0.303}, {"function": "page (shelf.py:25)", "own": 0.1}],
    "changes": {"against": "flask-dev", "samples": [1500, 2000], "compared": 60,
                "functions": [{"function": "parse (ast.py:33)", "shares": [0.2, 0.303], "difference": 0.103}]},
}


class Pictures(unittest.TestCase):
    def test_shares_have_their_intervals_and_what_differs_both_shares(self):
        first, second, third = pictures.said(PROFILE, "weir 0.1.0")
        self.assertIn("(2,000 samples of threads on CPU in 20.0 s)", first)
        self.assertIn("app 67.0 % [64.9, 69.0], server 4.00 % [3.23, 4.95].", first)
        self.assertIn("`parse (ast.py:33)` 30.3 %, `page (shelf.py:25)` 10.0 %.", first)
        self.assertIn("Against `flask-dev` (1,500 samples) 1 of 60 functions surely takes another share", second)
        self.assertIn("`parse (ast.py:33)` 30.3 %, there 20.0 %.", second)
        self.assertEqual(third, "Measured with weir 0.1.0.")
        alike = {**PROFILE, "changes": {**PROFILE["changes"], "functions": []}}
        self.assertIn("none of 60 functions surely takes another share", pictures.said(alike, "")[1])

    def test_the_document_has_one_place_for_it(self):
        text = pictures.within(pictures.DOCUMENT.read_text(), ["new"])
        self.assertIn(f"{pictures.BEGIN}\nnew\n{pictures.END}\n", text)
        self.assertEqual(pictures.within(text, ["new"]), text)

    def test_too_few_samples_write_nothing(self):
        few = {**PROFILE, "changes": {**PROFILE["changes"], "samples": [999, 2000]}}
        with tempfile.TemporaryDirectory() as place, contextlib.redirect_stderr(io.StringIO()) as said:
            file, document = (pathlib.Path(place) / name for name in ("profile.json", "document.md"))
            file.write_text(json.dumps(few))
            document.write_text(f"{pictures.BEGIN}\n{pictures.END}\n")
            with mock.patch.object(pictures, "DOCUMENT", document), mock.patch.object(pictures, "measured", lambda: "weir"):
                self.assertEqual(pictures.main(file), 1)
                self.assertNotIn("samples", document.read_text())
                file.write_text(json.dumps(PROFILE))
                self.assertEqual(pictures.main(file), 0)
                self.assertIn("1,500 samples", document.read_text())
        self.assertIn("hint: ", said.getvalue())


if __name__ == "__main__":
    unittest.main()
