// Quality, measured on people and articles that the code was not tuned on (split once, by seed): how well the measure of likeness knows
// people and what it says of attacks, how like its owner the embedded generator answers, how often it finds and says the answer, what
// that costs. `node bench/quality.ts [people] [likeness] [answers] [speed]` prints those alone. QUALITY_OWNERS bounds the owners of each
// corpus, QUALITY_PART=dev looks at the others.
import { Console } from "node:console";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Database } from "#server/db/database.ts";
import { attacks } from "./attacks.ts";
import { exactAnswers } from "./exact-answers.ts";
import { likeness } from "./likeness.ts";
import { hasPublicData } from "./public-data.ts";
import { speed } from "./quality-speed.ts";
import { retrieval } from "./retrieval-baselines.ts";
import { type Corpus, readCorpora } from "./speakers.ts";
import { ircTalks, playTalks, readIrcLines } from "./talks.ts";
import { verification } from "./verification.ts";
import { withPostgres } from "./with-postgres.ts";

const out = new Console(process.stdout);
const folder = resolve(process.env.BENCH_DATA ?? join(import.meta.dirname, "data"));
if (!hasPublicData() || !existsSync(join(folder, "irc.dev.jsonl.gz"))) {
  console.error(`No public sets in ${folder}: nothing to measure. Set BENCH_DATA to the folder with them.`);
  process.exit(0);
}
const part = process.env.QUALITY_PART === "dev" ? "dev" : "test";
const most = Number(process.env.QUALITY_OWNERS ?? Number.POSITIVE_INFINITY);
const TWINS = 10;
const asked = new Set(process.argv.slice(2));
const wants = (name: string) => asked.size === 0 || asked.has(name);

const [irc, plays] = readCorpora(folder) as [Corpus, Corpus];
if (wants("people")) {
  for (const corpus of [irc, plays]) {
    const owners = corpus.owners[part].slice(0, most);
    out.log(`\n${corpus.name}, ${part}: ${owners.length} owners, ${corpus.everyone.length} people`);
    const areas = verification(corpus, owners);
    out.table(Object.fromEntries(Object.entries(areas).map(([name, value]) => [name, { AUC: value.toFixed(3) }])));
    out.table(attacks(corpus, owners));
  }
}
if (["likeness", "answers", "speed"].some(wants)) await withPostgres(ofTwins);

/** Those who say most: the measure needs forty true replies and a hundred turns for each half. */
function talkers({ owners }: Corpus): string[] {
  const sorted = owners[part].toSorted((a, b) => b.texts.length - a.texts.length);
  return sorted.slice(0, Math.min(TWINS, most)).map(({ name }) => name);
}

async function ofTwins(db: Database): Promise<void> {
  if (wants("likeness")) {
    const lines = readIrcLines(folder);
    const twins = talkers(irc).map((name) => ircTalks(lines, name));
    out.log(`\nThe embedded generator as twins of people of IRC, ${part}`);
    out.table(await likeness(db, "en", twins));
    out.log(`\nThe embedded generator as twins of playwrights, ${part}`);
    out.table(await likeness(db, "ru", playTalks(folder, talkers(plays))));
  }
  if (wants("answers")) {
    out.log(`\nXQuAD, questions on articles of ${part}`);
    out.table({ ...(await retrieval(db, "ru", part)), ...(await retrieval(db, "en", part)) });
    out.table({ ru: await exactAnswers(db, "ru", part), en: await exactAnswers(db, "en", part) });
  }
  if (wants("speed")) {
    out.log("\nA twin of 100,000 messages");
    out.table(await speed(db));
  }
}
