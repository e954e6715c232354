// Talks of people of the public sets, as a messenger's export would hold them.
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { BOTS, readLines } from "./speakers.ts";
import type { Talk, TalkLine } from "./talking-twin.ts";

export interface OwnersTalks {
  name: string;
  talks: Talk[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Who has just spoken to somebody goes on speaking to them. */
const GOES_ON_MS = 5 * MINUTE_MS;
const ADDRESSED = /^([^\s:,]{2,32})[:,]\s+(?=\S)/u;
const PEOPLE = 40;
const LINES_OF_A_PERSON = 300;
const LONGEST_LINE = 300;

interface ChatLine extends TalkLine {
  author: string;
  /** Whom it speaks to, where that is known. */
  to: string | null;
}

/** The chat's lines without the names that they begin with. */
export function readIrcLines(folder: string): ChatLine[] {
  const spoken = readLines(folder, "irc.dev.jsonl.gz").filter(({ speaker }) => !BOTS.has(speaker!));
  const known = new Set(spoken.map(({ speaker }) => speaker!.toLowerCase()));
  const last = new Map<string, { to: string; at: number }>();
  return spoken.map(({ day, time, speaker, text }, line) => {
    const at = Date.parse(`${day}T${time}Z`) + (line % 1000) * 50;
    const nick = ADDRESSED.exec(text!)?.[1]?.toLowerCase();
    const addressed = nick !== undefined && known.has(nick) ? nick : null;
    const before = last.get(speaker!);
    const to = addressed ?? (before !== undefined && at - before.at < GOES_ON_MS ? before.to : null);
    if (to !== null) last.set(speaker!, { to, at });
    return { author: speaker!.toLowerCase(), to, at, text: addressed === null ? text! : text!.replace(ADDRESSED, "") };
  });
}

/**
 * With each person that the owner speaks to a private chat: what names nobody answers the line before it. What others say to each other
 * is a group in which he is silent.
 */
export function ircTalks(lines: readonly ChatLine[], name: string): OwnersTalks {
  const owner = name.toLowerCase();
  const talks = new Map<string, TalkLine[]>();
  const others = new Map<string, TalkLine[]>();
  const add = (to: Map<string, TalkLine[]>, key: string, line: TalkLine) => to.set(key, [...(to.get(key) ?? []), line]);
  let before: ChatLine | null = null;
  for (const line of lines) {
    const { author, to, text, at } = line;
    if (author === owner) {
      const partner = to !== null && to !== owner ? to : before?.author;
      if (before !== null && partner === before.author && before.to !== owner) add(talks, partner, before);
      if (partner !== undefined) add(talks, partner, { author: null, text, at });
      before = null;
      continue;
    }
    add(to === owner ? talks : others, author, line);
    before = line;
  }
  const crowd = [...others]
    .toSorted((a, b) => b[1].length - a[1].length)
    .slice(0, PEOPLE)
    .flatMap(([, said]) => said.slice(-LINES_OF_A_PERSON));
  return {
    name,
    talks: [
      ...[...talks].map(([person, said]): Talk => ({ name: person, kind: "private", lines: inOrder(said) })),
      { name: "#ubuntu", kind: "group", lines: inOrder(crowd) },
    ],
  };
}

const inOrder = (lines: readonly TalkLine[]) => lines.toSorted((a, b) => a.at - b.at);

/**
 * A playwright answers lines of other playwrights: each play of his is a talk with one of them, ten exchanges a day. What he answers has
 * nothing to do with what is asked: only the manner can be measured.
 * @param options.recurring the days of all plays go to the same few partners in turn, so that the partners of the newest days have been answered before
 */
export function playTalks(folder: string, names: readonly string[], { recurring = false } = {}): OwnersTalks[] {
  const lines = readLines(folder, "rusdracor.dev.jsonl.gz").filter(({ text }) => text!.length <= LONGEST_LINE);
  const authors = Map.groupBy(lines, ({ author }) => author!);
  return names.map((name) => {
    const random = seededRandom(`talks of ${name}`);
    const others = shuffled(
      [...authors.keys()].filter((author) => author !== name && authors.get(author)!.length >= LINES_OF_A_PERSON),
      random,
    );
    const plays = [...Map.groupBy(authors.get(name)!, ({ play }) => play!)];
    let day = 0;
    const byPlay = plays.map(([play, own], at): Talk => {
      const partner = others[at % others.length]!;
      const asked = shuffled(authors.get(partner)!, random);
      const said = own.slice(0, 2 * LINES_OF_A_PERSON).flatMap(({ text }, place) => {
        if (place % 10 === 0) day++;
        const begun = Date.UTC(2020, 0, 1, 9) + day * DAY_MS + (place % 10) * 10 * MINUTE_MS;
        const question = { author: partner, text: asked[place % asked.length]!.text!, at: begun };
        return [question, { author: null, text: text!, at: begun + MINUTE_MS }];
      });
      return { name: play, kind: "private", lines: said };
    });
    const crowd = others.slice(0, PEOPLE).flatMap((author) =>
      authors
        .get(author)!
        .slice(0, LINES_OF_A_PERSON)
        .map(({ text }, place) => ({ author, text: text!, at: Date.UTC(2020, 0, 1) + place * DAY_MS })),
    );
    const talks = recurring ? withPartners(byPlay, others.slice(0, PARTNERS)) : byPlay;
    return { name, talks: [...talks, { name: "Театр", kind: "group", lines: inOrder(crowd) }] };
  });
}

const PARTNERS = 6;

function withPartners(talks: readonly Talk[], partners: readonly string[]): Talk[] {
  const days = [
    ...Map.groupBy(
      talks.flatMap(({ lines }) => lines),
      ({ at }) => Math.floor(at / DAY_MS),
    ).values(),
  ];
  return partners.map((partner, place) => ({
    name: partner,
    kind: "private",
    lines: days
      .filter((_, day) => day % partners.length === place)
      .flatMap((lines) => lines.map((line) => (line.author === null ? line : { ...line, author: partner }))),
  }));
}
