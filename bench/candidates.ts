// Measures the fidelity of a twin with a model that chooses among N candidates (docs/decisions/029-reply-candidates-and-voice-adapters.md), for people of the public data
// sets, with twins trained and measured like in the product; `--control` compares scorer and judge on texts made to please the scorer.
//   npm run bench:candidates -- --model FILE.gguf [--adapter FILE.gguf] [--set irc|plays] [--part dev|test] [--owners N | --owner NAME…] [--threads N] [--room CHARACTERS] [--lines N] [--candidates N] [--minutes N] | --control
// `--lines` limits the twin to the owner's newest lines, which bounds the number of questions; after `--minutes` the run ends, without
// the owner whose messages are not all answered. With `--adapter` all is measured without it and with it, each for that long.
// Small models say little of their own to contacts (docs/decisions/026-answer-verification.md), so replies are made as drafts for the owner.
import { Console } from "node:console";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkModelFiles } from "#server/models/local/local-models.ts";
import { ModelHost } from "#server/models/local/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { bestOfN } from "./candidates/best-of-n.ts";
import { gaming } from "./candidates/gaming.ts";
import { PUBLIC_SETS, requirePublicTalks } from "./material/public-data.ts";
import { readCorpora } from "./material/speakers.ts";
import { ircTalks, newestOf, playTalks, readIrcLines } from "./material/talks.ts";
import { oneVoice } from "./model/one-voice.ts";
import { withPostgres } from "./postgres/with-postgres.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    adapter: { type: "string" },
    set: { type: "string", default: "irc" },
    part: { type: "string", default: "test" },
    owner: { type: "string", multiple: true },
    owners: { type: "string", default: "3" },
    threads: { type: "string", default: "1" },
    room: { type: "string", default: "1500" },
    lines: { type: "string", default: "420" },
    candidates: { type: "string", default: "8" },
    minutes: { type: "string", default: "15" },
    control: { type: "boolean", default: false },
  },
});
const out = new Console(process.stdout);
requirePublicTalks();
const part = values.part === "dev" ? "dev" : "test";
const corpora = readCorpora(PUBLIC_SETS);
const corpus = corpora[values.set === "plays" ? 1 : 0]!;
const names =
  values.owner ??
  corpus.owners[part]
    .toSorted((a, b) => b.texts.length - a.texts.length)
    .slice(0, Number(values.owners))
    .map(({ name }) => name);

if (values.control) {
  for (const one of corpora) {
    out.log(`\n${one.name}, ${part}: texts made for the scorer, and what either says of them`);
    out.table(gaming(one, one.owners[part].slice(0, Number(values.owners))));
  }
} else if (values.model === undefined) {
  console.error("Which model? --model FILE.gguf");
} else {
  const files = await checkModelFiles({ ...settings(), generator: values.model });
  const { memoryBytes, ...load } = files;
  const log = createLog("silent");
  const host = new ModelHost({
    load: { ...load, threads: Number(values.threads) },
    memoryBytes,
    log,
    limits: patience(),
  });
  const all =
    values.set === "plays"
      ? playTalks(PUBLIC_SETS, names)
      : ((lines) => names.map((name) => ircTalks(lines, name)))(readIrcLines(PUBLIC_SETS));
  const talks = all.map((one) => newestOf(one, Number(values.lines)));
  await withPostgres(async (db) => {
    const voices = values.adapter === undefined ? [] : [await oneVoice(values.model!, resolve(values.adapter))];
    for (const voiced of [undefined, ...voices]) {
      const voice = voiced === undefined ? "" : ` with ${values.adapter}`;
      out.log(`\n${values.model}${voice}, ${corpus.name}, ${part}: ${names.length} owners at most`);
      const bounds = {
        room: Number(values.room),
        most: Number(values.candidates),
        untilMs: Number(values.minutes) * 60_000,
      };
      out.table(await bestOfN(db, talks, { host, log, voiced, ...bounds }));
    }
  });
  await host.end();
}
process.exit(0);

function settings() {
  return {
    ...{ embedder: null, reranker: null, threads: Number(values.threads), contextTokens: 4096 },
    ...{ timeoutSeconds: 600, embeddingTimeoutMs: 1000, rerankerTimeoutMs: 1000 },
  };
}

/** What is measured is the model, not how busy this machine is. */
function patience() {
  const ms = 600_000;
  return { firstTokenMs: ms, nextTokenMs: ms, silentMs: ms, waitMs: ms, totalMs: ms, priority: 10 };
}
