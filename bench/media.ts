// What recordings and pictures cost on this machine: seconds of the processor for a second of speech, milliseconds for a page, memory.
//   npm run bench:media -- [--speech FOLDER] [--recording FILE]… [--pages N]
// Without `--speech` the model of the tests hears, to which each letter is a tone: what is measured then is decoding, resampling and bands of
// frequencies, and none of what a real model calculates. Without a recording, the samples of the tests are read. The load is printed.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { readSpeechFolder } from "#server/models/local/speech-folder.ts";
import { findLanguageData } from "#server/models/media/pictures/language-data.ts";
import { readPictureHead } from "#server/models/media/pictures/picture-head.ts";
import { openTesseract } from "#server/models/media/pictures/tesseract.ts";
import { SpeechHost } from "#server/models/media/speech/speech-host.ts";
import { createLog } from "#server/platform/log.ts";
import { errorRate } from "#server/test/media/error-rate.ts";
import { PAGES } from "#server/test/media/pages.ts";
import { wavOfSamples, whistle, writeToneModel } from "#server/test/media/tone-model.ts";

const { values } = parseArgs({
  options: {
    speech: { type: "string" },
    recording: { type: "string", multiple: true, default: [] },
    pages: { type: "string", default: "3" },
  },
});
const say = (line = "") => process.stdout.write(`${line}\n`);
const MB = 1024 ** 2;
const SAMPLES = new URL("../server/test/media/", import.meta.url);
/** Seconds of the processor's time that a process has had; Linux tells in hundredths. */
const cpuOf = (pid: number) => {
  const facts = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = facts.slice(facts.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user! + system!) / 100;
};
const peakOf = (pid: number) =>
  Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

say(`${availableParallelism()} cores · load ${loadavg()[0]!.toFixed(1)} before the start\n`);
await measureSpeech();
await measurePictures();

async function measureSpeech(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dt-bench-media-"));
  const { model, bytes } = await readSpeechFolder(values.speech ?? (await writeToneModel(folder)));
  const host = new SpeechHost({ load: { model, threads: 1 }, memoryBytes: 4096 * MB, log: createLog("silent") });
  const bounds = { maxSeconds: 3600, signal: new AbortController().signal };
  const begun = performance.now();
  await host.transcribe({ bytes: wavOfSamples(whistle("а")) }, bounds);
  const loaded = `${((performance.now() - begun) / 1000).toFixed(1)} s until the first word`;
  say(
    `Speech: ${values.speech === undefined ? "tones" : basename(values.speech)}, ${(bytes / MB).toFixed(1)} MB, ${loaded}, one thread`,
  );
  say(
    "| recording | seconds | processor per second of speech | clock per second | most memory |\n|---|---|---|---|---|",
  );
  for (const [name, source] of await recordings()) {
    const [cpu, clock] = [cpuOf(host.pid!), performance.now()];
    const heard = await host.transcribe({ bytes: source }, bounds);
    if (typeof heard === "string") throw new Error(`${name}: ${heard}`);
    const [spent, passed] = [cpuOf(host.pid!) - cpu, (performance.now() - clock) / 1000];
    const each = (seconds: number) => `${(seconds / heard.seconds).toFixed(4)} s`;
    say(
      `| ${name} | ${heard.seconds.toFixed(0)} | ${each(spent)} | ${each(passed)} | ${peakOf(host.pid!).toFixed(0)} MB |`,
    );
  }
  await host.end();
  await rm(folder, { recursive: true });
}

async function recordings(): Promise<[string, Buffer][]> {
  if (values.recording.length > 0)
    return Promise.all(
      values.recording.map(async (path): Promise<[string, Buffer]> => [basename(path), await readFile(path)]),
    );
  const sample = (name: string) => readFile(new URL(`samples/${name}`, SAMPLES));
  const minutes = wavOfSamples(whistle("привет мир ".repeat(270)));
  return [
    ["a voice message (Opus)", await sample("call.ogg")],
    ["the same (MP3)", await sample("call.mp3")],
    ["ten minutes (WAV)", minutes],
  ];
}

async function measurePictures(): Promise<void> {
  const data = findLanguageData(null);
  if (data === null) {
    say("\nPictures: skipped, tesseract-ocr-rus is not installed");
    return;
  }
  const begun = performance.now();
  const reader = await openTesseract(data.folder, data.languages);
  say(`\nPictures: ${data.languages.join(" and ")}, loaded in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  say("| page | pixels | wrong characters | how sure | processor | most memory |\n|---|---|---|---|---|---|");
  for (const file of readdirSync(new URL("pages/", SAMPLES)).sort()) {
    const picture = await readFile(new URL(`pages/${file}`, SAMPLES));
    const { width, height, orientation } = readPictureHead(picture)!;
    const name = basename(file, ".jpg") as keyof typeof PAGES;
    const before = process.cpuUsage();
    let read = reader.read(picture, orientation);
    for (let times = 1; times < Number(values.pages); times++) read = reader.read(picture, orientation);
    const { user, system } = process.cpuUsage(before);
    const wrong = `${(errorRate(read.text, PAGES[name].text) * 100).toFixed(1)} %`;
    const ms = (user + system) / 1000 / Number(values.pages);
    say(
      `| ${name} | ${width}×${height} | ${wrong} | ${read.confidence} | ${ms.toFixed(0)} ms | ${peakOf(process.pid).toFixed(0)} MB |`,
    );
  }
}
