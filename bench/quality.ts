// How well the measure of likeness knows people: verification beside baselines of the field, and what it says of attacks. Reported on
// owners that the code was not tuned on. QUALITY_OWNERS bounds how many of each corpus are taken (all when absent), QUALITY_PART=dev
// looks at the others.
import { Console } from "node:console";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { attacks } from "./attacks.ts";
import { readCorpora } from "./speakers.ts";
import { verification } from "./verification.ts";

const out = new Console(process.stdout);
const folder = resolve(process.env.BENCH_DATA ?? join(import.meta.dirname, "data"));
if (!["irc.dev.jsonl.gz", "rusdracor.dev.jsonl.gz"].every((name) => existsSync(join(folder, name)))) {
  console.error(`No public sets in ${folder}: nothing to measure. Set BENCH_DATA to the folder with them.`);
  process.exit(0);
}
const part = process.env.QUALITY_PART === "dev" ? "dev" : "test";
const most = Number(process.env.QUALITY_OWNERS ?? Number.POSITIVE_INFINITY);
for (const corpus of readCorpora(folder)) {
  const owners = corpus.owners[part].slice(0, most);
  out.log(`\n${corpus.name}, ${part}: ${owners.length} owners, ${corpus.everyone.length} people`);
  const areas = verification(corpus, owners);
  out.table(Object.fromEntries(Object.entries(areas).map(([name, value]) => [name, { AUC: value.toFixed(3) }])));
  out.table(attacks(corpus, owners));
}
