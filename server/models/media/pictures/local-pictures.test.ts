import { readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { errorRate } from "#server/test/media/error-rate.ts";
import { noLanguageData } from "#server/test/media/has-language-data.ts";
import { PAGES } from "#server/test/media/pages.ts";
import type { MediaBounds, MediaOutcome, Recognized } from "../recognizer.ts";
import { findLanguageData } from "./language-data.ts";
import { LocalPictures, type LocalPicturesOptions } from "./local-pictures.ts";
import { MAX_PICTURE_BYTES } from "./ocr-limits.ts";

const bounds = (over: Partial<MediaBounds> = {}): MediaBounds => ({
  ...{ signal: new AbortController().signal, maxSeconds: 60, maxChars: 4000 },
  ...over,
});
const data = findLanguageData(null) ?? { folder: "/nowhere", languages: ["rus"] };
const files = {
  open: async () => {
    throw new Error("no file is asked for");
  },
};
const open: LocalPictures[] = [];
function picturesOf(over: Partial<LocalPicturesOptions> = {}): LocalPictures {
  const pictures = new LocalPictures({ data, files, ...over });
  open.push(pictures);
  return pictures;
}
afterAll(() => {
  for (const one of open) one.end();
});
const page = (name: string) => readFile(new URL(`../../../test/media/pages/${name}.jpg`, import.meta.url));
const ask = (pictures: LocalPictures, bytes: Buffer, over: Partial<MediaBounds> = {}): Promise<MediaOutcome> =>
  pictures.read({ source: { kind: "bytes", bytes }, mime: "image/jpeg", durationSeconds: null }, bounds(over));

const missing = noLanguageData();
describe.skipIf(missing !== null)(
  `tesseract with Russian data${missing === null ? "" : `: skipped, ${missing}`}`,
  () => {
    const pictures = picturesOf();

    test.each([
      ["price-list", 0.02],
      ["receipt", 0.07],
      ["chat", 0.02],
    ] as const)(
      "of a turned, grainy %s at most %d of the characters are wrong, and it says how sure it is",
      async (name, most) => {
        const read = (await ask(pictures, await page(name))) as Recognized;
        expect(errorRate(read.text, PAGES[name].text)).toBeLessThanOrEqual(most);
        expect(read.confidence).toBeGreaterThan(0.85);
      },
    );

    test("a dark screen is read as a light one", async () => {
      const dark = greyPng(200, 60, (x, y) => (x > 20 && x < 180 && y > 25 && y < 35 ? 230 : 15));
      expect(await ask(pictures, dark)).toMatchObject({ ok: true });
    });

    test("a picture without words is an empty text, or one of which it is not sure", async () => {
      const read = (await ask(
        pictures,
        greyPng(400, 300, (x) => 40 + (x % 180)),
      )) as Recognized;
      expect(read.ok && (read.text === "" || read.confidence < 0.6)).toBe(true);
    });

    test("a text that is longer than is wanted ends at a word", async () => {
      const read = (await ask(pictures, await page("chat"), { maxChars: 20 })) as Recognized;
      expect(read.text).toBe("Добрый день!");
    });

    test("bytes that are cut or turned over are said to be damaged, or read in part, and the next picture is read", async () => {
      const whole = await page("receipt");
      for (const cut of [700, 5000, 20_000]) {
        const outcome = await ask(pictures, whole.subarray(0, cut));
        expect(outcome.ok || outcome.kind === "unreadable", String(cut)).toBe(true);
      }
      const hurt = Buffer.from(whole);
      for (let at = 700; at < hurt.length; at += 61) hurt[at]! ^= 0xa5;
      const outcome = await ask(pictures, hurt);
      expect(outcome.ok || outcome.kind === "unreadable").toBe(true);
      expect(await ask(pictures, await page("chat"))).toMatchObject({ ok: true });
    });

    test("a process that is killed at its picture fails that one alone", async () => {
      const killed = picturesOf({ limits: { readMs: 30 } });
      expect(await ask(killed, await page("price-list"))).toMatchObject({ ok: false, kind: "timeout" });
      const small = picturesOf({ limits: { memoryBytes: 90 * 1024 ** 2 } });
      expect(await ask(small, await page("price-list"))).toMatchObject({ ok: false, kind: "unreadable" });
      expect(await ask(pictures, await page("chat"))).toMatchObject({ ok: true });
    });

    test("an abandoned picture: its process is ended at once", async () => {
      const asked = ask(pictures, await page("price-list"), { signal: AbortSignal.timeout(50) });
      await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
    });

    test("too many pictures at once are refused with a retry, and those before them are read", async () => {
      const tiny = greyPng(60, 30, () => 255);
      const outcomes = await Promise.all(Array.from({ length: 11 }, () => ask(pictures, tiny)));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(9);
      expect(outcomes.filter((one) => !one.ok && one.kind === "busy")).toHaveLength(2);
    });
  },
);

test("a picture whose head promises more than may be decoded is refused before anybody decodes it", async () => {
  const never = picturesOf({ program: new URL("file:///nowhere.ts") });
  const bomb = greyPng(4, 4, () => 0);
  bomb.writeUInt32BE(50_000, 16);
  bomb.writeUInt32BE(50_000, 20);
  expect(await ask(never, bomb)).toMatchObject({ ok: false, kind: "too_large" });
  const long = greyPng(4, 4, () => 0);
  long.writeUInt32BE(20_000, 16);
  expect(await ask(never, long)).toMatchObject({ ok: false, kind: "too_large" });
  expect(await ask(never, Buffer.alloc(MAX_PICTURE_BYTES + 1))).toMatchObject({ ok: false, kind: "too_large" });
});

test.each([
  "",
  "<svg onload=alert(1)>",
  "GIF8",
  "%PDF-1.7",
  "\x89PNG\r\n\x1a\n",
  "\xff\xd8\xff\xe1\xff\xff",
  "RIFF\0\0\0\0WEBPVP9 ",
])("%j is no picture", async (text) => {
  const never = picturesOf({ program: new URL("file:///nowhere.ts") });
  expect(await ask(never, Buffer.from(text, "latin1"))).toMatchObject({ ok: false, kind: "unreadable" });
});

function greyPng(width: number, height: number, at: (x: number, y: number) => number): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = at(x, y);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
