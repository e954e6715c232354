// How like their owners twins answer with a capable model: people of the public sets, measured as the product measures its own twins, for
// strangers before and after the owner has opened the phrases that the product offers him, and for contacts. The completions were written
// by hand (recorded.jsonl), because no strong model can be had here.
import { join } from "node:path";
import { desc, eq } from "drizzle-orm";
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { listStyleSamples } from "#server/knowledge/public-replies/style-samples.ts";
import { asTenant, type Database, startPglite, wrapPglite } from "#server/platform/db/database.ts";
import { fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { learn, type TalkingTwin, twinOfTalks } from "../../material/talking-twin.ts";
import type { OwnersTalks } from "../../material/talks.ts";
import { type ReplyPair, saidIn, writeBlindPairs } from "./blind-pairs.ts";
import { controlsFor, type OwnersWords } from "./controls.ts";
import { controlRow, type Measure, meanRow, type Row, rowOf } from "./measured-rows.ts";
import { openOfferedPhrases } from "./opened-phrases.ts";
import { countGivenAway, findPrivateWords } from "./prompt-checks.ts";
import { WaitingCalls } from "./waiting-calls.ts";

export interface MannerSet {
  /** What everybody may know of the owner. */
  description: string;
  owners: readonly OwnersTalks[];
  /** Messages of each audience: strangers with automatic samples, strangers with opened ones as well, contacts. */
  asked: { automatic: number; opened: number; contacts: number };
}

type Audience = Measure["audience"];

interface Run {
  rows: Row[];
  controls: Row[];
  /** Prompts without a completion, by writer. */
  missing: ReadonlyMap<string, number>;
  changed: number;
  prompts: number;
  /** Prompts whose true reply an earlier one of the same writer shows. */
  givenAway: number;
  /** Words of letters in strangers' prompts. */
  privateWords: string[];
}

const DAY_MS = 86_400_000;
const calm = new AbortController().signal;

/**
 * @param waiting see `WaitingCalls`
 * @param pairsFile see `writeBlindPairs`
 */
export async function manner(
  sets: readonly MannerSet[],
  { waiting, pairsFile }: { waiting: string | undefined; pairsFile: string | undefined },
): Promise<Run> {
  const calls = new WaitingCalls(join(import.meta.dirname, "recorded.jsonl"), waiting);
  const [rows, controls, pairs]: [Row[], Row[], ReplyPair[]] = [[], [], []];
  const measures: { writer: string; measure: Measure }[] = [];
  const shownTo: { person: number; open: string[]; written: readonly string[] }[] = [];
  const answered: { place: number; words: OwnersWords; twin: TalkingTwin; name: string }[] = [];
  let givenAway = 0;
  const database = await wrapPglite(await startPglite());
  const { db } = database;
  let place = 0;
  for (const { description, owners, asked: amounts } of sets) {
    for (const { name, talks } of owners) {
      const id = `00000000-0000-4000-8000-${String(++place).padStart(12, "0")}`;
      // The seeds of a measure depend on the twin's id.
      const twin = await twinOfTalks(db, talks, [], { id, description, purpose: "friends" });
      await learn(db, twin);
      const words = await ownersWords(db, twin, talks);
      const ask = async (audience: Audience, writer: string, most: number) => {
        if (most === 0) return;
        // The newest message is asked first, and the number orders the oldest before it: later ones show what the owner answered earlier.
        let number = 1000;
        const generator = llmGenerator({
          ...{ baseUrl: "http://127.0.0.1:1/v1", model: "hand", foreign: false, firstTokenMs: DAY_MS, totalMs: DAY_MS },
          contextTokens: 16_384,
          fetch: calls.clientFor(() => ({ writer, person: place, number: --number })),
        });
        const measure = await measured(db, twin, { generator, audience, most });
        const samples = (await openSamples(db, twin)).length;
        rows.push(rowOf(name, writer, measure, samples));
        measures.push({ writer, measure });
      };
      await ask("strangers", "automatic", amounts.automatic);
      await openOfferedPhrases(db, twin);
      await ask("strangers", "opened", amounts.opened);
      await ask("contacts", "contacts", amounts.contacts);
      const asked = calls.prompts.filter(({ person }) => person === place);
      givenAway += countGivenAway(asked, words.replies);
      shownTo.push({ person: place, open: [description, ...(await openSamples(db, twin))], written: words.messages });
      answered.push({ place, words, twin, name });
      for (const { writer, message, completion } of asked)
        pairs.push({
          person: name,
          writer,
          incoming: message,
          twin: saidIn(completion),
          own: words.replies.get(message) ?? "",
        });
    }
  }
  const privateWords: string[] = [];
  for (const { person, ...texts } of shownTo) {
    const strangers = calls.prompts.filter(({ writer }) => !writer.startsWith("contacts"));
    const own = strangers.filter((prompt) => prompt.person === person);
    const others = strangers.filter((prompt) => prompt.person !== person);
    privateWords.push(...(await findPrivateWords(own, texts, others)));
  }
  // Only a finished run is set beside answerers that must not pass.
  if (calls.missing.size === 0) {
    for (const { words, twin, name } of answered) controls.push(...(await controlsOf(db, twin, { name, words })));
    if (waiting !== undefined) calls.record();
  }
  await database.close();
  if (pairsFile !== undefined) writeBlindPairs(pairsFile, pairs);
  for (const writer of ["automatic", "opened", "contacts"])
    rows.push(
      meanRow(
        writer,
        measures.flatMap((one) => (one.writer === writer ? [one.measure] : [])),
      ),
    );
  const { missing, changed, prompts } = calls;
  return { rows, controls, missing, changed, prompts: prompts.length, givenAway, privateWords };
}

async function controlsOf(db: Database, twin: TalkingTwin, { name, words }: { name: string; words: OwnersWords }) {
  const rows: Row[] = [];
  for (const [control, generator] of Object.entries(controlsFor(words))) {
    rows.push(
      controlRow(name, control, await measured(db, twin, { generator, audience: "strangers", most: CONTROLLED })),
    );
  }
  return rows;
}

/** As many messages as a sure figure needs; a control costs nothing. */
const CONTROLLED = 46;

async function measured(
  db: Database,
  { twinId, tenant }: TalkingTwin,
  { generator, audience, most }: { generator: Generator; audience: Audience; most: number },
): Promise<Measure> {
  const deps = { db, jobs: { enqueue: async () => {} }, generator, queryEmbedder: null, reranker: null };
  const asked = { contacts: 0, strangers: 0, [audience]: most };
  await measureFidelity(
    { ...deps, localModels: null, remoteGenerators: null },
    { ...tenant, twinId, only: audience },
    calm,
    asked,
  );
  const [newest] = await asTenant(db, tenant, (tx) =>
    tx
      .select()
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, twinId))
      .orderBy(desc(fidelityMeasures.id))
      .limit(1),
  );
  return newest!;
}

const openSamples = (db: Database, { twinId, tenant }: TalkingTwin): Promise<string[]> =>
  asTenant(db, tenant, async (tx) => (await listStyleSamples(tx, twinId)).map(({ text }) => text));

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
