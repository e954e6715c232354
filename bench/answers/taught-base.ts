// A knowledge base as a twin: its documents read, its chats paired, trained as the product trains.
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { piecesOf } from "#server/answers/replies/quotable-pieces.ts";
import { type TrainingDeps, trainTwin } from "#server/answers/training/train-twin.ts";
import { embedCorrections } from "#server/knowledge/corrections/embed-corrections.ts";
import { readDocument } from "#server/knowledge/documents/read-document.ts";
import { learnEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { asTenant, type OpenDatabase } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { type TalkingTwin, type TalkLine, twinOfTalks } from "../material/talking-twin.ts";
import type { Base } from "./questions.ts";

const DAY_MS = 24 * 3600 * 1000;
const MINUTE_MS = 60_000;
const FIRST_DAY = Date.UTC(2026, 3, 1, 9);

/** @param deps of the training; its embeddings are asked for the vectors of what is taught, where there are any */
export async function teachBase(
  { db }: Pick<OpenDatabase, "db">,
  deps: Pick<TrainingDeps, "jobs"> & { queryEmbedder: QueryEmbedder | null },
  base: Base,
): Promise<TalkingTwin> {
  const lines = Map.groupBy(base.chats.entries(), ([, { contact }]) => contact);
  const talks = [...lines].map(([name, exchanges]) => ({
    name,
    kind: "private" as const,
    lines: exchanges.flatMap(([at, { incoming, reply }]): TalkLine[] => {
      const asked = FIRST_DAY + at * DAY_MS;
      return [
        { author: name, text: incoming, at: asked },
        { author: null, text: reply, at: asked + MINUTE_MS },
      ];
    }),
  }));
  const twin = await twinOfTalks(db, talks);
  const { tenant, twinId } = twin;
  const { name, about, communicationStyle } = base.owner;
  const read = await Promise.all(
    base.documents.map(async ({ name, text }) => ({
      name: name.replace(/\.[a-z]+$/, ""),
      text: (await readDocument({ name, bytes: Buffer.from(text) })).text,
    })),
  );
  await asTenant(db, tenant, async (tx) => {
    await tx.update(twins).set({ name, description: about, communicationStyle }).where(eq(twins.id, twinId));
    for (const document of read) {
      await tx.insert(documents).values({
        orgId: tenant.organizationId,
        twinId,
        name: document.name,
        type: "faq",
        content: document.text,
        contentHash: createHash("sha256").update(document.text).digest("hex"),
      });
    }
  });
  await trainTwin(
    { db, jobs: deps.jobs, queryEmbedder: deps.queryEmbedder },
    { ...tenant, twinId },
    new AbortController().signal,
  );
  if (deps.queryEmbedder !== null) {
    const learning = { db, jobs: deps.jobs, queryEmbedder: deps.queryEmbedder, config: { embedding: null } };
    await learnEmbeddings(learning, { ...tenant, twinId }, new AbortController().signal, {
      corrections: embedCorrections,
      piecesOf,
    });
  }
  return twin;
}
