// How like their owners twins answer with a capable model: people of the public sets, measured as the product measures its own twins, as
// contacts and as strangers apart. The completions were written by hand (recorded.jsonl), because no strong model can be had here.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asc, desc, eq } from "drizzle-orm";
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { asTenant, type Database, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { learn, type TalkingTwin, twinOfTalks } from "../../material/talking-twin.ts";
import type { OwnersTalks } from "../../material/talks.ts";
import { controlsFor } from "./controls.ts";
import { WaitingCalls } from "./waiting-calls.ts";

export interface MannerSet {
  /** What everybody may know of the owner. */
  description: string;
  owners: readonly OwnersTalks[];
}

type Row = Record<string, string | number>;
type Measure = typeof fidelityMeasures.$inferSelect;

/** Some more than the forty that a sure figure needs, for messages that are left to the owner. */
const ASKED = { contacts: 46, strangers: 46 };
const DAY_MS = 86_400_000;
const calm = new AbortController().signal;

/**
 * @param waiting see `WaitingCalls`
 * @param pairsFile where replies beside the owner's own are written, for a blind reader
 */
export async function manner(
  sets: readonly MannerSet[],
  { waiting, pairsFile }: { waiting: string | undefined; pairsFile: string | undefined },
): Promise<{ rows: Row[]; controls: Row[]; missing: number; changed: number }> {
  const calls = new WaitingCalls(join(import.meta.dirname, "recorded.jsonl"), waiting);
  const [rows, controls, pairs]: [Row[], Row[], object[]] = [[], [], []];
  const database = await wrapPglite(await startPglite());
  const { db } = database;
  let place = 0;
  for (const { description, owners } of sets) {
    for (const { name, talks } of owners) {
      const id = `00000000-0000-4000-8000-${String(++place).padStart(12, "0")}`;
      // The seeds of a measure depend on the twin's id.
      const twin = await twinOfTalks(db, talks, [], { id, description, purpose: "friends" });
      await learn(db, twin);
      let asked = 0;
      const generator = llmGenerator({
        ...{ baseUrl: "http://127.0.0.1:1/v1", model: "hand", foreign: false, firstTokenMs: DAY_MS, totalMs: DAY_MS },
        contextTokens: 16_384,
        // Contacts ask first. The newest message is asked first, and the number orders the oldest before it: a later conversation shows what
        // the owner answered in an earlier one.
        fetch: calls.clientFor(() => {
          asked++;
          const audience = asked <= ASKED.contacts ? "contacts" : "strangers";
          return { group: `${audience}-${place}`, number: 1000 - asked };
        }),
      });
      const measures = await measured(db, twin, generator);
      const samples = await asTenant(db, twin.tenant, async (tx) => {
        const found = await tx.select({ id: styleSamples.id }).from(styleSamples);
        return found.length;
      });
      for (const measure of measures) rows.push(rowOf(name, measure, samples));
      pairs.push(...(await pairsOf(db, twin)));
      const words = await ownersWords(db, twin, talks);
      for (const [control, answerer] of Object.entries(controlsFor(words))) {
        const [{ value, low, high } = {}] = await measured(db, twin, answerer);
        controls.push({ name, control, value: shown(value), interval: `${shown(low)}–${shown(high)}` });
      }
    }
  }
  await database.close();
  if (waiting !== undefined && calls.missing === 0) calls.record();
  if (pairsFile !== undefined) writeFileSync(pairsFile, JSON.stringify(pairs, null, 1));
  return { rows, controls, missing: calls.missing, changed: calls.changed };
}

/** Returns the measures of this run: of contacts, then of strangers. */
async function measured(db: Database, { twinId, tenant }: TalkingTwin, generator: Generator): Promise<Measure[]> {
  const deps = { db, jobs: { enqueue: async () => {} }, generator, queryEmbedder: null, reranker: null };
  await measureFidelity({ ...deps, localModels: null, remoteGenerators: null }, { ...tenant, twinId }, calm, ASKED);
  const newest = await asTenant(db, tenant, (tx) =>
    tx
      .select()
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, twinId))
      .orderBy(desc(fidelityMeasures.id))
      .limit(2),
  );
  return newest.toReversed();
}

const shown = (figure: number | null | undefined): string => (figure == null ? "–" : figure.toFixed(2));

const rowOf = (name: string, measure: Measure, samples: number): Row => ({
  name,
  audience: measure.audience,
  value: shown(measure.value),
  interval: `${shown(measure.low)}–${shown(measure.high)}`,
  S: shown(measure.verified),
  D: shown(measure.indistinguishable),
  copies: shown(measure.copyRate),
  relevance: shown(measure.relevance),
  judged: measure.held,
  "left to the owner": measure.handedOver,
  owner: shown(measure.ceiling),
  others: shown(measure.floor),
  samples,
  lacking: measure.lacking ?? "",
});

async function pairsOf(db: Database, { twinId, tenant }: TalkingTwin): Promise<object[]> {
  return asTenant(db, tenant, (tx) =>
    tx
      .select({ incoming: replyExamples.incoming, twin: fidelityExamples.reply, own: replyExamples.reply })
      .from(fidelityExamples)
      .innerJoin(replyExamples, eq(replyExamples.id, fidelityExamples.replyExampleId))
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(asc(fidelityExamples.id)),
  );
}

async function ownersWords(db: Database, { twinId, tenant }: TalkingTwin, talks: OwnersTalks["talks"]) {
  const known = await asTenant(db, tenant, (tx) =>
    tx
      .select({ incoming: replyExamples.incoming, reply: replyExamples.reply })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId)),
  );
  const own = talks.flatMap(({ lines }) => lines).filter(({ author }) => author === null);
  return {
    replies: new Map(known.map(({ incoming, reply }) => [incoming, reply])),
    messages: own.map(({ text }) => text),
  };
}
