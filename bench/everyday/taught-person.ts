// A private person's twin: the chats imported, nothing read, trained as the product trains.
import { eq } from "drizzle-orm";
import { type TrainingDeps, trainTwin } from "#server/answers/training/train-twin.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { type TalkingTwin, twinOfTalks } from "../material/talking-twin.ts";
import type { Person } from "./people.ts";

export interface KnownTwin extends TalkingTwin {
  /** By the name of their talk. */
  people: ReadonlyMap<string, { id: number; styleGroup: string | null }>;
}

export async function teachPerson(
  db: Database,
  jobs: TrainingDeps["jobs"],
  { owner, talks }: Person,
): Promise<KnownTwin> {
  const twin = await twinOfTalks(db, talks);
  const { tenant, twinId } = twin;
  const { name, about, communicationStyle } = owner;
  await asTenant(db, tenant, (tx) =>
    tx
      .update(twins)
      .set({ name, description: about, communicationStyle, purpose: "friends" })
      .where(eq(twins.id, twinId)),
  );
  await trainTwin({ db, jobs, queryEmbedder: null }, { ...tenant, twinId }, new AbortController().signal);
  const rows = await asTenant(db, tenant, (tx) =>
    tx
      .select({ id: contacts.id, name: contacts.name, styleGroup: contacts.styleGroup })
      .from(contacts)
      .where(eq(contacts.twinId, twinId)),
  );
  return { ...twin, people: new Map(rows.map(({ name, ...row }) => [name, row])) };
}
