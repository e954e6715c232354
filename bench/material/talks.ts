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
/** «nick: text», «nick, text», and of somebody who has just spoken «nick  text». */
const ADDRESSED = /^([^\s:,]{2,32})([:,]\s+|\s+)(?=\S)/u;
/** A person who is addressed without a mark has said something in this time. */
const JUST_SPOKEN_MS = 30 * MINUTE_MS;
const PEOPLE = 40;
const LINES_OF_A_PERSON = 300;
const LONGEST_LINE = 300;
const PLAYS = "rusdracor.dev.jsonl.gz";

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
  const heard = new Map<string, number>();
  return spoken.map(({ day, time, speaker, text }, line) => {
    const at = Date.parse(`${day}T${time}Z`) + (line % 1000) * 50;
    const [, named, mark = ""] = ADDRESSED.exec(text!) ?? [];
    const nick = named?.toLowerCase();
    const isThere = nick !== undefined && at - (heard.get(nick) ?? Number.NEGATIVE_INFINITY) < JUST_SPOKEN_MS;
    const addressed = nick !== undefined && known.has(nick) && (mark.trim() !== "" || isThere) ? nick : null;
    heard.set(speaker!.toLowerCase(), at);
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
 */
export function playTalks(folder: string, names: readonly string[]): OwnersTalks[] {
  const authors = byAuthor(readLines(folder, PLAYS).filter(isShort));
  return names.map((name) => {
    const random = seededRandom(`talks of ${name}`);
    const others = otherAuthors(authors, name, random);
    const plays = [...Map.groupBy(authors.get(name)!, ({ play }) => play!)];
    let day = 0;
    const talks = plays.map(([play, own], at): Talk => {
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
    return { name, talks: [...talks, theatre(authors, others)] };
  });
}

/** A dialogue of a play has at least so many lines. */
const SHORTEST_DIALOGUE = 4;

/**
 * The dialogues of two people in a playwright's plays: who speaks first is the partner, and the other's lines are the owner's. So a line
 * answers the one before it; the partner writes like the owner, and is a small part of the other people.
 * @param most dialogues, drawn over all of his plays
 */
export function playDialogues(folder: string, names: readonly string[], most: number): OwnersTalks[] {
  const lines = readLines(folder, PLAYS);
  const authors = byAuthor(lines.filter(isShort));
  return names.map((name) => {
    const random = seededRandom(`dialogues of ${name}`);
    const plays = [
      ...Map.groupBy(
        lines.filter(({ author }) => author === name),
        ({ play }) => play!,
      ).values(),
    ];
    const dialogues = shuffled(plays.flatMap(findDialogues), random);
    const said = dialogues.slice(0, most).flatMap((dialogue, day) =>
      dialogue.map(({ text }, place) => ({
        author: place % 2 === 0 ? "partner" : null,
        text: text!,
        at: Date.UTC(2020, 0, 1, 9) + day * DAY_MS + place * MINUTE_MS,
      })),
    );
    const others = otherAuthors(authors, name, random);
    return { name, talks: [{ name: "partner", kind: "private", lines: said }, theatre(authors, others)] };
  });
}

type PlayLine = Record<string, string>;

function findDialogues(lines: readonly PlayLine[]): PlayLine[][] {
  const found: PlayLine[][] = [];
  let dialogue: PlayLine[] = [];
  for (const line of lines) {
    const [before, last] = dialogue.slice(-2);
    const speakers = [before?.speaker, last?.speaker];
    const goesOn =
      dialogue.length < 2
        ? before?.speaker !== line.speaker
        : line.speaker === speakers[0] && line.speaker !== speakers[1];
    if (goesOn && isShort(line)) dialogue.push(line);
    else {
      found.push(dialogue);
      dialogue = isShort(line) ? [line] : [];
    }
  }
  return [...found, dialogue].filter(({ length }) => length >= SHORTEST_DIALOGUE);
}

const isShort = ({ text }: PlayLine) => text!.length <= LONGEST_LINE;

const byAuthor = (lines: readonly PlayLine[]): Map<string, PlayLine[]> => Map.groupBy(lines, ({ author }) => author!);

const otherAuthors = (
  authors: ReadonlyMap<string, readonly PlayLine[]>,
  name: string,
  random: () => number,
): string[] =>
  shuffled(
    [...authors.keys()].filter((author) => author !== name && authors.get(author)!.length >= LINES_OF_A_PERSON),
    random,
  );

/** What other playwrights say in a group in which the owner is silent. */
function theatre(authors: ReadonlyMap<string, readonly PlayLine[]>, others: readonly string[]): Talk {
  const crowd = others.slice(0, PEOPLE).flatMap((author) =>
    authors
      .get(author)!
      .slice(0, LINES_OF_A_PERSON)
      .map(({ text }, place) => ({ author, text: text!, at: Date.UTC(2020, 0, 1) + place * DAY_MS })),
  );
  return { name: "Театр", kind: "group", lines: inOrder(crowd) };
}
