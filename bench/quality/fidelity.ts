// How like its owner the embedded generator answers what it has never seen, beside an answerer that is always neutral: twins of people
// of the public sets, made and measured as the product makes and measures them.
import { asc, desc, eq } from "drizzle-orm";
import { ENOUGH_TO_BE_SURE } from "#contract/quality.ts";
import { type Judge, trainJudge } from "#server/answers/fidelity/fidelity.ts";
import { normalise } from "#server/answers/fidelity/normalise.ts";
import { mean } from "#server/answers/fidelity/typicality.ts";
import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { learn, type TalkingTwin, twinOfTalks } from "../material/talking-twin.ts";
import type { OwnersTalks } from "../material/talks.ts";

const calm = new AbortController().signal;
/** Rough figures are another matter (rough-figures.ts). */
const isRough = (row: Record<"own" | "held" | "people", number>) =>
  (["own", "held", "people"] as const).some((what) => row[what] < ENOUGH_TO_BE_SURE[what]);
/** How many of the other people are withheld from the style verifier. */
const STRANGERS = 10;

const NEUTRAL = {
  ru: [
    "Здравствуйте! Спасибо за сообщение.",
    "Уточните, пожалуйста, ваш вопрос.",
    "К сожалению, у меня нет такой информации.",
  ],
  en: [
    "Hello! Thank you for your message.",
    "Could you please clarify your question?",
    "Unfortunately, I don't have that information.",
  ],
};

/** The same polite answers to everybody; by its name both halves of the memory are asked. */
function neutral(language: "ru" | "en"): Generator {
  return {
    name: "embedded",
    async *generate({ seed, message }) {
      const random = seededRandom(`${seed}${message}`);
      yield NEUTRAL[language][Math.floor(random() * NEUTRAL[language].length)]!;
    },
  };
}

interface Measured {
  row: typeof fidelityMeasures.$inferSelect;
  /** With what the owner really answered. */
  replies: { twin: string; own: string }[];
}

/** @throws the signal's reason */
async function measured(
  db: Database,
  { twinId, tenant }: TalkingTwin,
  generator: Generator,
  signal: AbortSignal = calm,
): Promise<Measured> {
  await measureFidelity(
    {
      db,
      jobs: { enqueue: async () => {} },
      generator,
      queryEmbedder: null,
      reranker: null,
      localModels: null,
      remoteGenerators: null,
    },
    { ...tenant, twinId },
    signal,
  );
  return asTenant(db, tenant, async (tx) => {
    const [row] = await tx
      .select()
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, twinId))
      .orderBy(desc(fidelityMeasures.id))
      .limit(1);
    const replies = await tx
      .select({ twin: fidelityExamples.reply, own: replyExamples.reply })
      .from(fidelityExamples)
      .innerJoin(replyExamples, eq(replyExamples.id, fidelityExamples.replyExampleId))
      .where(eq(fidelityExamples.measureId, row!.id))
      .orderBy(asc(fidelityExamples.id));
    return { row: row!, replies };
  });
}

const clean = (texts: readonly string[]) => texts.map((text) => normalise(text)).filter((text) => text !== "");

/** A verifier of the owner's manner that knows neither the true replies nor some of the other people. */
function targetStyleOf({ name, talks }: OwnersTalks, held: readonly string[]): { judge: Judge; strangers: string[] } {
  const asked = new Set(held.flatMap((reply) => reply.split("\n")));
  const lines = talks.flatMap((talk) => talk.lines);
  const own = lines.filter(({ author, text }) => author === null && !asked.has(text)).map(({ text }) => text);
  const crowd = [...Map.groupBy(talks.at(-1)!.lines, ({ author }) => author!)].map(
    ([person, said]) => [person, clean(said.map(({ text }) => text))] as const,
  );
  const judge = trainJudge(
    // What the twin knows of the owner is among his own messages here.
    { own: clean(own), people: new Map(crowd.slice(STRANGERS)), held: clean(held), memory: [] },
    seededRandom(`manner of ${name}`),
  );
  return { judge, strangers: crowd.slice(0, STRANGERS).flatMap(([, said]) => said.slice(0, 20)) };
}

type Figures = Record<
  "value" | "verified" | "indistinguishable" | "copies" | "relevance" | "manner" | "distinct",
  number
>;
type FidelityRow = Partial<Record<keyof Figures, string>>;

/**
 * Mean over the owners. `value` is the product's measure; `targetStyle` the verifier's mean log-odds that the owner wrote a reply; `distinct`
 * the share of replies that no other repeats.
 */
export async function fidelity(
  db: Database,
  language: "ru" | "en",
  owners: readonly OwnersTalks[],
): Promise<Record<string, FidelityRow>> {
  const found = new Map<string, Partial<Figures>[]>();
  const note = (name: string, figures: Partial<Figures>) => found.set(name, [...(found.get(name) ?? []), figures]);
  for (const owner of owners) {
    const twin = await twinOfTalks(db, owner.talks);
    await learn(db, twin);
    const ours = await measured(db, twin, embeddedGenerator());
    if (ours.row.value === null || isRough(ours.row)) continue;
    const plain = await measured(db, twin, neutral(language));
    const { judge, strangers } = targetStyleOf(
      owner,
      ours.replies.map(({ own }) => own),
    );
    const targetStyle = (texts: readonly string[]) => ({
      targetStyle: mean(clean(texts).map(judge.opinion)),
      distinct: new Set(texts).size / texts.length,
    });
    for (const [name, { row, replies }] of [
      ["the embedded generator", ours],
      ["a fixed neutral answerer", plain],
    ] as const) {
      const { value, verified, indistinguishable, copyRate, relevance } = row;
      note(name, {
        value: value!,
        verified: verified!,
        indistinguishable: indistinguishable!,
        copies: copyRate!,
        relevance: relevance!,
        ...targetStyle(replies.map(({ twin: reply }) => reply)),
      });
    }
    note("(the owner: true replies; older messages)", {
      value: ours.row.ceiling!,
      ...targetStyle(ours.replies.map(({ own }) => own)),
    });
    note("(strangers)", { value: ours.row.floor!, ...targetStyle(strangers) });
    if (process.env.QUALITY_SHOW !== undefined) console.error(owner.name, ours.row.value, ours.replies.slice(0, 60));
  }
  const average = (all: readonly Partial<Figures>[]): FidelityRow =>
    Object.fromEntries(
      (Object.keys(all[0]!) as (keyof Figures)[]).map((name) => [name, mean(all.map((one) => one[name]!)).toFixed(2)]),
    );
  return Object.fromEntries([...found].map(([name, all]) => [`${name}, ${all.length} people`, average(all)]));
}
