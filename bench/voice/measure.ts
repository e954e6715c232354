// What a trained voice brings: how like the owner a small model replies with and without it, to messages that neither it nor the voice
// has seen, by the product's own measure.
//   node bench/voice/measure.ts FOLDER --person irc-1 --model FILE.gguf [--voice FILE.gguf] [--asked 60] [--ways 0:0.8,4:0.8] [--threads 2] [--show]
// FOLDER: where bench/voice/export.ts wrote. Replies are kept there, and not asked for again. A way is the number of examples before the message and
// the temperature.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PUBLIC_SETS } from "../material/public-data.ts";
import { judgeOf } from "./judge-replies.ts";
import { partTalks } from "./part-talks.ts";
import { people } from "./people.ts";
import { openWriter, type Way } from "./write-replies.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    person: { type: "string" },
    model: { type: "string" },
    voice: { type: "string" },
    asked: { type: "string", default: "60" },
    threads: { type: "string", default: "2" },
    ways: { type: "string", default: "0:0.8,4:0.8" },
    show: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
const { person: id, model, voice } = values;
if (folder === undefined || id === undefined || model === undefined)
  throw new Error("node bench/voice/measure.ts FOLDER --person ID --model FILE.gguf [--voice FILE.gguf]");
const found = people(PUBLIC_SETS, 10).find((one) => one.id === id);
if (found === undefined) throw new Error(`Nobody is called ${id}`);
const parted = partTalks(found.talks);
const asked = Math.min(Number(values.asked), parted.held.length);

/** Opened once something is to be written. */
const writers: Awaited<ReturnType<typeof openWriter>>[] = [];

async function replies(way: Way): Promise<string[]> {
  const name = `${way.voice === null ? "base" : "voice"}-${way.examples}-${way.temperature}-${asked}.json`;
  const path = join(folder!, id!, name);
  if (existsSync(path)) return JSON.parse(await readFile(path, "utf8")) as string[];
  if (writers.length === 0) writers.push(await openWriter(resolve(model!), Number(values.threads)));
  const written = await writers[0]!.replies(parted, found!.language, asked, way);
  await writeFile(path, JSON.stringify(written, null, 1));
  return written;
}

const share = (value: number) => value.toFixed(2);
const judge = judgeOf(parted, asked, `voice of ${found.talks.name}`);
const { ceiling, floor } = judge.scale();
console.log(
  `${id} (${found.talks.name}), ${asked} replies; the owner's older messages ${share(ceiling.value)}, strangers ${share(floor.value)}\n`,
);
console.log("| examples | temperature | voice | √(S·D) | 90 % | S | D | copies | relevance | letters |");
console.log("|--:|--:|---|--:|---|--:|--:|--:|--:|--:|");
const cutTo = (text: string, length: number) =>
  text.length <= length
    ? text
    : text.slice(0, text.lastIndexOf(" ", length) > 0 ? text.lastIndexOf(" ", length) : length);

function row(examples: number, temperature: number, name: string, texts: readonly string[]): void {
  const { fidelity, copies, relevance, length } = judge.of(texts);
  const { value, low, high, verified, indistinguishable } = fidelity;
  const cells = [examples, temperature, name, share(value), `${share(low)}–${share(high)}`];
  const rest = [verified, indistinguishable, copies, relevance].map(share);
  console.log(`| ${[...cells, ...rest, Math.round(length)].join(" | ")} |`);
  if (!values.show) return;
  for (const [at, { incoming, reply }] of parted.held.slice(-asked).slice(0, 8).entries())
    console.error(JSON.stringify({ asked: incoming.slice(0, 80), owner: reply.slice(0, 80), text: texts[at] }));
}

for (const way of values.ways.split(",")) {
  const [examples, temperature] = way.split(":").map(Number) as [number, number];
  const plain = await replies({ examples, temperature, voice: null });
  row(examples, temperature, "no", plain);
  if (voice === undefined) continue;
  const voiced = await replies({ examples, temperature, voice: resolve(voice) });
  row(examples, temperature, "yes", voiced);
  // Whether it is more than being brief.
  row(
    examples,
    temperature,
    "no, cut as short",
    plain.map((text, at) => cutTo(text, voiced[at]!.length)),
  );
}
await writers[0]?.close();
