// Whom a model answers while its speed is measured: a shop's customers and a private person's friends.

import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { readBases } from "../answers/questions.ts";
import { teachBase } from "../answers/taught-base.ts";
import { readPeople } from "../everyday/people.ts";
import { teachPerson } from "../everyday/taught-person.ts";
import type { TalkingTwin } from "../material/talking-twin.ts";

interface MeasuredTalk {
  twin: TalkingTwin;
  audience: Audience;
  contact: { notes: string[]; address: null; styleGroup: string | null; name: string };
  messages: string[];
}

export interface Everyone {
  db: OpenDatabase["db"];
  talks: MeasuredTalk[];
}

const BASES = ["velo", "school"];

/** A talk with each of two shops and with a friend of each of two people, in turns. */
export async function everyone(database: OpenDatabase, jobs: Jobs, most: number): Promise<Everyone> {
  const talks: MeasuredTalk[] = [];
  const bases = readBases().filter(({ name }) => BASES.includes(name));
  for (const [at, person] of readPeople().entries()) {
    if (talks.length >= most) break;
    const base = bases[at]!;
    const shop = await teachBase(database, { jobs, queryEmbedder: null }, base);
    const nobody = { notes: [], address: null, styleGroup: null, name: "" };
    const asked = base.questions.dev.filter(({ history }) => history.length === 0).map(({ text }) => text);
    talks.push({ twin: shop, audience: { kind: "stranger" }, contact: nobody, messages: asked });
    const twin = await teachPerson(database.db, jobs, person);
    const [name, friend] = [...twin.people][0]!;
    talks.push({
      twin,
      audience: { kind: "contact", contactId: friend.id },
      contact: { notes: [], address: null, styleGroup: friend.styleGroup, name },
      messages: person.messages.dev.map(({ text }) => text),
    });
  }
  return { db: database.db, talks: talks.slice(0, most) };
}
