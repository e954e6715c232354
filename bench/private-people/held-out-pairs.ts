// The yardstick of a private person's twin without documents: real exchanges of people that the twin has not learnt. The newest fifth of a
// person's days is held back; what was said to them there is asked, and what they answered is known. People are parted in halves by
// their names: the engine is tuned on `dev`, `test` is only counted.
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { readPeople } from "../everyday/people.ts";
import { PUBLIC_SETS } from "../material/public-data.ts";
import { readLines } from "../material/speakers.ts";
import type { Talk, TalkLine } from "../material/talking-twin.ts";
import { ircTalks, readIrcLines } from "../material/talks.ts";

export type Part = "dev" | "test";

interface HeldOutPair {
  /** The name of the talk in which it was said. */
  contact: string;
  history: HistoryTurn[];
  incoming: string;
  reply: string;
}

export interface PrivatePerson {
  set: "IRC" | "plays" | "everyday";
  name: string;
  /** What the twin learns. */
  talks: Talk[];
  pairs: HeldOutPair[];
}

const DAY_MS = 24 * 3600 * 1000;
const HELD_OUT = 0.2;
const TURNS = 8;
const IRC_PEOPLE = 16;
const PLAYWRIGHTS = 12;
const IRC_LINES = 2500;
const PAIRS_OF_A_PERSON = 80;

export function readPrivatePeople(part: Part): PrivatePerson[] {
  const everyday = readPeople().map(({ owner, talks }) => personOf("everyday", owner.name, talks));
  return [
    ...everyday.filter((_, at) => at % 2 === (part === "dev" ? 0 : 1)),
    ...half(irc(), part),
    ...half(plays(), part),
  ];
}

const half = (people: readonly PrivatePerson[], part: Part) => {
  const drawn = shuffled([...people], seededRandom("halves of private people"));
  return part === "dev" ? drawn.slice(0, drawn.length / 2) : drawn.slice(drawn.length / 2);
};

function irc(): PrivatePerson[] {
  const lines = readIrcLines(PUBLIC_SETS);
  const counts = Map.groupBy(lines, ({ author }) => author);
  const names = [...counts].sort((a, b) => b[1].length - a[1].length).slice(0, IRC_PEOPLE);
  return names.map(([name]) => {
    const { talks } = ircTalks(lines, name);
    return personOf(
      "IRC",
      name,
      talks.filter(({ kind }) => kind === "private"),
    );
  });
}

/** Lines that really follow each other: what one character says is answered by the next. A play is a talk. */
function plays(): PrivatePerson[] {
  const lines = readLines(PUBLIC_SETS, "rusdracor.dev.jsonl.gz");
  const authors = [...Map.groupBy(lines, ({ author }) => author!)].sort((a, b) => b[1].length - a[1].length);
  return authors.slice(0, PLAYWRIGHTS).map(([author, all]) => {
    let day = 0;
    const talks = [...Map.groupBy(all, ({ play }) => play!)].map(([play, said]): Talk => {
      const text = said.slice(0, 600).filter((line) => line.text!.length <= 300);
      return {
        name: play,
        kind: "private",
        lines: text.map((line, at): TalkLine => {
          if (at % 40 === 0) day++;
          return {
            author: at % 2 === 0 ? play : null,
            text: line.text!,
            at: Date.UTC(2020, 0, 1) + day * DAY_MS + at * 60_000,
          };
        }),
      };
    });
    // Scenes of all plays are mixed, so that a person of the held-out days is known from before.
    return personOf("plays", author, talks);
  });
}

function personOf(set: PrivatePerson["set"], name: string, whole: readonly Talk[]): PrivatePerson {
  const talks = whole.map((talk) => ({ ...talk, lines: talk.lines.slice(-IRC_LINES) }));
  const known: Talk[] = [];
  const pairs: HeldOutPair[] = [];
  const all = heldDays(talks);
  for (const talk of talks) {
    // Who helps in a public chat seldom speaks to anybody on two days.
    const held = set === "IRC" ? all : heldDays([talk]);
    const isHeld = ({ at }: TalkLine) => held.has(Math.floor(at / DAY_MS));
    known.push({ ...talk, lines: talk.lines.filter((line) => !isHeld(line)) });
    for (const [, day] of Map.groupBy(talk.lines.filter(isHeld), ({ at }) => Math.floor(at / DAY_MS)))
      pairs.push(...pairsOf(talk.name, day));
  }
  const asked = shuffled(pairs, seededRandom(`pairs of ${name}`)).slice(0, PAIRS_OF_A_PERSON);
  return { set, name, talks: known.filter(({ lines }) => lines.some(({ author }) => author === null)), pairs: asked };
}

/** The newest fifth of the days. */
function heldDays(talks: readonly Talk[]): ReadonlySet<number> {
  const days = talks.flatMap(({ lines }) => lines.map(({ at }) => Math.floor(at / DAY_MS))).sort((a, b) => a - b);
  const all = [...new Set(days)];
  return new Set(all.slice(Math.ceil(all.length * (1 - HELD_OUT))));
}

function pairsOf(contact: string, lines: readonly TalkLine[]): HeldOutPair[] {
  const turns: HistoryTurn[] = [];
  for (const { author, text } of lines) {
    const role = author === null ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n${text}`;
    else turns.push({ role, content: text });
  }
  return turns.flatMap((turn, at) =>
    turn.role === "assistant" && at > 0
      ? [
          {
            contact,
            history: turns.slice(Math.max(0, at - 1 - TURNS), at - 1),
            incoming: turns[at - 1]!.content,
            reply: turn.content,
          },
        ]
      : [],
  );
}
