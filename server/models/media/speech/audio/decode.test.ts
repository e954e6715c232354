import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { wavOfSamples, whistle } from "#server/test/media/tone-model.ts";
import { decodeAudio } from "./decode.ts";
import { Resampler } from "./resampler.ts";
import { windowsOf } from "./windows.ts";

const calm = new AbortController().signal;
const sample = (name: string) => readFile(new URL(`../../../../test/media/samples/${name}`, import.meta.url));
const decode = (file: Buffer, maxSeconds = 60) => decodeAudio(file, maxSeconds, calm);
const tone = (seconds: number, rate: number, hertz: number) =>
  Float32Array.from({ length: seconds * rate }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate));
const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

test.each(["call.ogg", "call.mp3"])("%s has the length of what was recorded, and its loudness", async (name) => {
  const samples = await decode(await sample(name));
  expect(samples.length / 16_000).toBeGreaterThan(4.8);
  expect(samples.length / 16_000).toBeLessThan(5.1);
  expect(loudness(samples)).toBeGreaterThan(0.15);
  expect(samples.every((one) => Math.abs(one) <= 1.2)).toBe(true);
});

test.each([8000, 11_025, 22_050, 44_100, 48_000])("a tone recorded at %i Hz stays that tone", async (rate) => {
  const samples = await decode(wavOfSamples(tone(1, rate, 1000), rate));
  expect(Math.abs(samples.length - 16_000)).toBeLessThan(3);
  const middle = samples.subarray(2000, 14_000);
  const wanted = tone(1, 16_000, 1000).subarray(2000, 14_000);
  expect(loudness(middle.map((one, at) => one - wanted[at]!))).toBeLessThan(0.02);
});

test("what is above half of the lower rate does not fold back into what is heard", () => {
  const resampler = new Resampler(48_000, 16_000);
  const samples = resampler.push(tone(1, 48_000, 11_000));
  expect(loudness(samples.subarray(500, -500))).toBeLessThan(0.01);
});

test("a piece at a time gives the same samples as all at once", () => {
  const all = tone(1, 44_100, 440);
  const [whole, pieces] = [new Resampler(44_100, 16_000), new Resampler(44_100, 16_000)];
  const expected = [...whole.push(all), ...whole.end()];
  const given: number[] = [];
  for (let at = 0; at < all.length; at += 777) given.push(...pieces.push(all.subarray(at, at + 777)));
  given.push(...pieces.end());
  expect(given.length).toBe(expected.length);
  expect(Math.max(...given.map((one, at) => Math.abs(one - expected[at]!)))).toBeLessThan(1e-3);
});

test("a recording that goes on longer than is heard is refused when it has come, however its head understates it", async () => {
  await expect(decode(wavOfSamples(new Float32Array(16_000 * 3)), 2)).rejects.toThrow("too-long");
  // Two bytes of each packet declare 120 ms of silence: half a megabyte would be more than an hour.
  const cpuMs = startCpuTime();
  await expect(decode(silentOgg(40_000), 60)).rejects.toThrow("too-long");
  expect(cpuMs()).toBeLessThan(5000);
});

test.each([
  ["an iPhone's recording", "call.m4a", "aac"],
  ["a page", "<html>…</html>", "unknown-format"],
  ["nothing", "", "unknown-format"],
  ["a head without a body", "OggS", "damaged"],
  ["RIFF of something else", "RIFF0000WAVEjunk", "damaged"],
  ["a tag without music", `ID3\u0003${"\0".repeat(200)}`, "damaged"],
])("%s is refused for what it is", async (_, given, reason) => {
  const file = given === "call.m4a" ? await sample(given) : Buffer.from(given, "latin1");
  await expect(decode(file)).rejects.toThrow(reason);
});

test("a file that is cut anywhere, or has bytes turned over, gives sound or a reason, and never another error", async () => {
  // libopus logs each unreadable packet to the console; the speech process has no console.
  vi.spyOn(console, "error").mockReturnValue();
  for (const name of ["call.ogg", "call.mp3"]) {
    const file = await sample(name);
    for (let cut = 1; cut < file.length; cut += 1999) {
      const outcome = await decode(file.subarray(0, cut)).catch((error: Error) => error.message);
      if (typeof outcome === "string") expect(["damaged", "unknown-format"]).toContain(outcome);
    }
    for (let seed = 1; seed <= 12; seed++) {
      const hurt = Buffer.from(file);
      for (let at = seed; at < hurt.length; at += 97 * seed) hurt[at]! ^= 0x5a;
      const outcome = await decode(hurt).catch((error: Error) => error.message);
      if (typeof outcome === "string") expect(["damaged", "unknown-format", "too-long", "aac"]).toContain(outcome);
    }
  }
  vi.restoreAllMocks();
});

test("windows end where it is quiet, cover all speech and leave out silence", () => {
  const second = 16_000;
  const samples = new Float32Array(60 * second);
  const spoken = whistle("привет ".repeat(10));
  samples.set(spoken, 0);
  samples.set(spoken, 15 * second);
  const windows = windowsOf(samples);
  expect(windows[0]!.from).toBe(0);
  expect(windows[0]!.to).toBeGreaterThan(14 * second);
  expect(windows.every(({ from, to }) => to - from <= 20 * second)).toBe(true);
  expect(windows.at(-1)!.to).toBeLessThan(50 * second);
  expect(windowsOf(new Float32Array(60 * second))).toEqual([]);
});

/** Builds an Ogg file of two-byte Opus packets, each of which stands for 120 ms. */
function silentOgg(packets: number): Buffer {
  const head = Buffer.from("OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32LE(48_000, 12);
  const pages = [page(2, 0, [head]), page(0, 1, [Buffer.from("OpusTags\0\0\0\0\0\0\0\0", "latin1")])];
  // Opus code 3 with 60 ms frames: two frames, both empty.
  const packet = Buffer.from([(3 << 3) | 3, 2]);
  for (let at = 0; at < packets; at += 255)
    pages.push(
      page(
        0,
        pages.length,
        Array.from({ length: 255 }, () => packet),
      ),
    );
  return Buffer.concat(pages);
}

function page(flags: number, sequence: number, packets: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(27);
  head.write("OggS", "latin1");
  head[5] = flags;
  head.writeUInt32LE(sequence, 18);
  head[26] = packets.length;
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}
