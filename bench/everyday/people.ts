// The yardstick of everyday talk: invented private persons with their chats and no documents, and what friends write to them. Chats and
// messages were written before the engine met either. Half of the messages, drawn by their id, may be looked at while the engine is made; the
// other half is only counted.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Talk, TalkLine } from "../material/talking-twin.ts";

const PEOPLE = join(import.meta.dirname, "people");

/** `self`: what the owner does or how he is just now. */
export const KINDS = [
  "plans",
  "feelings",
  "quarrels",
  "jokes",
  "gossip",
  "requests",
  "thanks",
  "congratulations",
  "news",
  "self",
] as const;
export type EverydayKind = (typeof KINDS)[number];

export interface EverydayMessage {
  id: string;
  /** The name of the talk in which it is written. */
  contact: string;
  kind: EverydayKind;
  text: string;
}

export type Part = "dev" | "test";

export interface Person {
  owner: { name: string; about: string; communicationStyle: string };
  /** A private talk with each contact, oldest line first. */
  talks: Talk[];
  messages: Record<Part, EverydayMessage[]>;
}

export function readPeople(): Person[] {
  return readdirSync(PEOPLE).sort().map(readPerson);
}

function readPerson(name: string): Person {
  const read = (file: string) => readFileSync(join(PEOPLE, name, file), "utf8");
  const messages = read("messages.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as EverydayMessage);
  const drawn = messages
    .map((message) => ({ message, at: seededRandom(`part of ${message.id}`)() }))
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message);
  const dev = new Set(drawn.slice(0, drawn.length / 2));
  return {
    owner: JSON.parse(read("person.json")) as Person["owner"],
    talks: talksOf(read("conversations.txt")),
    messages: {
      dev: messages.filter((message) => dev.has(message)),
      test: messages.filter((message) => !dev.has(message)),
    },
  };
}

const FIRST_DAY = Date.UTC(2026, 0, 10, 15);
const DAY_MS = 24 * 3600 * 1000;
const MINUTE_MS = 60_000;

/** «@ name» begins the talk with somebody, or goes on with it; «==» another day; «>» is said by them, «<» by the owner. */
function talksOf(text: string): Talk[] {
  const talks = new Map<string, TalkLine[]>();
  let contact = "";
  let day = 0;
  let minute = 0;
  for (const line of text.split("\n")) {
    const said = line.slice(2).trim();
    if (line.startsWith("@ ")) contact = said;
    else if (line.startsWith("==")) {
      day++;
      minute = 0;
    } else if (said !== "") {
      const at = FIRST_DAY + day * DAY_MS + minute++ * MINUTE_MS;
      talks.set(contact, [
        ...(talks.get(contact) ?? []),
        { author: line.startsWith(">") ? contact : null, text: said, at },
      ]);
    }
  }
  return [...talks].map(([name, lines]) => ({ name, kind: "private", lines }));
}
