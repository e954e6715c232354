// People of the public chats and plays, as material for the measure of fidelity: IRC (#ubuntu; jkkummerfeld/irc-disentanglement,
// CC BY 4.0) and the authors of Russian plays (RusDraCor, CC0), each of whom is one person across plays.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { normalise } from "#server/answers/fidelity/normalise.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

interface Speaker {
  name: string;
  /** Normalised, in the order of time (plays: of plays). */
  texts: string[];
  /** Where the newest half of their sessions (days, plays) begins among the texts. */
  newest: number;
}

export interface Corpus {
  name: string;
  /** Enough to be an owner: split by seed into those that the code may be tuned on and those that are reported. */
  owners: { dev: Speaker[]; test: Speaker[] };
  /** Everybody else who says enough to be an unseen person. */
  everyone: Speaker[];
}

export const BOTS = new Set(["ubottu", "ubotu"]);
/** An owner says so much in each half of the sessions. */
const MIN_PER_HALF = 100;
const MIN_PER_PERSON = 40;
const LONGEST_SPEAKER = 3000;

interface Line {
  speaker: string;
  session: string;
  text: string;
}

export function readLines(folder: string, name: string): Record<string, string>[] {
  const lines = gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, string>);
}

function speakerOf(name: string, lines: readonly Line[]): Speaker {
  const kept = lines.slice(0, LONGEST_SPEAKER);
  const sessions = [...new Set(kept.map(({ session }) => session))];
  // The boundary between sessions that comes nearest to the middle.
  const starts = sessions.slice(1).map((session) => kept.findIndex((line) => line.session === session));
  const middle = kept.length / 2;
  const newest = starts.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), 0);
  return { name, texts: kept.map(({ text }) => text), newest };
}

function corpus(name: string, lines: Iterable<Line>): Corpus {
  const said = Map.groupBy(lines, ({ speaker }) => speaker);
  const everyone = [...said]
    .filter(([, own]) => own.length >= MIN_PER_PERSON)
    .map(([speaker, own]) => speakerOf(speaker, own));
  const owners = everyone.filter(
    ({ texts, newest }) => newest >= MIN_PER_HALF && texts.length - newest >= MIN_PER_HALF,
  );
  const random = seededRandom(`speakers of ${name}`);
  const dev = new Set(owners.filter(() => random() < 0.5));
  return {
    name,
    everyone,
    owners: { dev: owners.filter((one) => dev.has(one)), test: owners.filter((one) => !dev.has(one)) },
  };
}

export function readCorpora(folder: string): Corpus[] {
  const irc = readLines(folder, "irc.dev.jsonl.gz")
    .map(({ speaker, day, text }) => ({
      speaker: speaker!,
      session: day!,
      text: normalise(text!, { nicks: true }),
    }))
    .filter(({ speaker, text }) => !BOTS.has(speaker) && text !== "");
  const plays = readLines(folder, "rusdracor.dev.jsonl.gz")
    .map(({ author, play, text }) => ({ speaker: author!, session: play!, text: normalise(text!) }))
    .filter(({ text }) => text !== "");
  return [corpus("IRC", irc), corpus("playwrights", plays)];
}
