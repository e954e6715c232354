// Quality, measured on people and articles that the code was not tuned on (split once, by seed): how like its owner the embedded generator
// answers, how often it says the answer, what that costs. `node bench/quality.ts [fidelity] [answers] [speed] [manner]` prints those alone.
// `manner` is how like its owner a twin answers with a capable model (quality/manner): QUALITY_WAITING names the folder into which the
// prompts go that no recorded completion answers, with a folder for each writer in it, QUALITY_PAIRS a file of pairs for a blind reader.
// QUALITY_OWNERS bounds the owners of each corpus, QUALITY_PART=dev looks at the others.
import { Console } from "node:console";
import type { Database } from "#server/platform/db/database.ts";
import { PUBLIC_SETS, requirePublicTalks } from "./material/public-data.ts";
import { type Corpus, readCorpora } from "./material/speakers.ts";
import { ircTalks, playTalks, readIrcLines } from "./material/talks.ts";
import { withPostgres } from "./postgres/with-postgres.ts";
import { exactAnswers } from "./quality/exact-answers.ts";
import { fidelity } from "./quality/fidelity.ts";
import { askedPeople } from "./quality/manner/asked-people.ts";
import { manner } from "./quality/manner/manner.ts";
import { speed } from "./quality/quality-speed.ts";

const out = new Console(process.stdout);
requirePublicTalks();
const part = process.env.QUALITY_PART === "dev" ? "dev" : "test";
const most = Number(process.env.QUALITY_OWNERS ?? Number.POSITIVE_INFINITY);
const TWINS = 10;
const asked = new Set(process.argv.slice(2));
const wants = (name: string) => asked.size === 0 || asked.has(name);

const [irc, plays] = readCorpora(PUBLIC_SETS) as [Corpus, Corpus];
if (["fidelity", "answers", "speed"].some(wants)) await withPostgres(ofTwins);
if (wants("manner")) await withModel();

/** Those who say most: the measure needs forty true replies and a hundred turns for each half. */
function talkers({ owners }: Corpus): string[] {
  const sorted = owners[part].toSorted((a, b) => b.texts.length - a.texts.length);
  return sorted.slice(0, Math.min(TWINS, most)).map(({ name }) => name);
}

async function withModel(): Promise<void> {
  const { QUALITY_WAITING: waiting, QUALITY_PAIRS: pairsFile } = process.env;
  const found = await manner(askedPeople(PUBLIC_SETS, [irc, plays]), { waiting, pairsFile });
  out.log(`\nTwins for friends with a capable model, written by hand: ${found.prompts} prompts`);
  out.table(found.rows);
  out.log("Answerers that must not pass (goal: .30 at most)");
  out.table(found.controls);
  out.log(`Prompts whose true reply their writer had read before: ${found.givenAway}`);
  out.log(`Words of letters in strangers' prompts: ${found.privateWords.length} ${found.privateWords.join(" ")}`);
  if (found.changed > 0) out.log(`${found.changed} completions were written for older prompts.`);
  for (const [writer, count] of found.missing) out.log(`${count} prompts wait for the writer «${writer}».`);
  if (found.missing.size > 0) out.log("The figures above mean nothing yet.");
}

async function ofTwins(db: Database): Promise<void> {
  if (wants("fidelity")) {
    const lines = readIrcLines(PUBLIC_SETS);
    const twins = talkers(irc).map((name) => ircTalks(lines, name));
    out.log(`\nThe embedded generator as twins of people of IRC, ${part}`);
    out.table(await fidelity(db, "en", twins));
    out.log(`\nThe embedded generator as twins of playwrights, ${part}`);
    out.table(await fidelity(db, "ru", playTalks(PUBLIC_SETS, talkers(plays))));
  }
  if (wants("answers")) {
    out.log(`\nXQuAD, questions on articles of ${part}`);
    out.table({ ru: await exactAnswers(db, "ru", part), en: await exactAnswers(db, "en", part) });
  }
  if (wants("speed")) {
    out.log("\nA twin of 100,000 messages");
    out.table(await speed(db));
  }
}
