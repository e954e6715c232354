import json
import tempfile
import unittest
import zipfile
from pathlib import Path

from plain_error import PlainError
from talks import parse_lines, read_talks


def line(*contents: str) -> str:
    roles = ["user", "assistant"] * len(contents)
    return json.dumps({"messages": [{"role": role, "content": text} for role, text in zip(roles, contents)]}) + "\n"


class ReadingTalks(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())

    def test_a_zip_gives_what_a_folder_does(self):
        train, test = line("привет", " прив) ") * 20, line("ты где", "дома")
        (self.folder / "train.jsonl").write_text(train, encoding="utf-8")
        (self.folder / "test.jsonl").write_text(test, encoding="utf-8")
        with zipfile.ZipFile(self.folder / "talks.zip", "w") as archive:
            archive.writestr("train.jsonl", train)
            archive.writestr("test.jsonl", test)
        read = read_talks(self.folder)
        self.assertEqual(read, read_talks(self.folder / "talks.zip"))
        self.assertEqual(read[0][0][1], {"role": "assistant", "content": "прив)"})

    def test_a_message_may_hold_a_line_separator_of_unicode(self):
        raw = '{"messages":[{"role":"user","content":"a\u2028b"},{"role":"assistant","content":"c"}]}\n'
        self.assertEqual(parse_lines(raw, "f")[0][0]["content"], "a\u2028b")

    def test_what_is_no_talk_is_named_by_its_line(self):
        for bad in ("{}\n", "[]\n", "{\n", line("ты где"), line("ты где", " "), '{"messages":[{"role":"bot","content":""}]}\n'):
            with self.assertRaisesRegex(PlainError, "строка 2"):
                parse_lines(line("а", "б") + bad, "train.jsonl")

    def test_too_little_is_said_before_anything_is_opened(self):
        (self.folder / "train.jsonl").write_text(line("а", "б"), encoding="utf-8")
        (self.folder / "test.jsonl").write_text("", encoding="utf-8")
        with self.assertRaisesRegex(PlainError, "всего 1 бесед"):
            read_talks(self.folder)
        with self.assertRaisesRegex(PlainError, "нет train.jsonl"):
            read_talks(Path(tempfile.mkdtemp()))
