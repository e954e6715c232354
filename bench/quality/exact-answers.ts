// What the embedded generator answers to XQuAD's questions: whether the reply holds the answer, of how many sentences, and whether it
// says honestly that it does not know what its documents do not say. Articles are split once, by seed; test is reported.

import { embeddedGenerator } from "#server/answers/replies/embedded-generator.ts";
import { planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import type { Database } from "#server/platform/db/database.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { type Language, type Paragraph, readXquad } from "../material/public-data.ts";
import { learn, type TalkingTwin, twinOfTalks } from "../material/talking-twin.ts";

/** Splits a language's articles into a half that was used for tuning (`dev`) and a half that was not (`test`). */
function splitArticles(language: Language): { dev: Paragraph[]; test: Paragraph[]; all: Paragraph[] } {
  const all = readXquad(language);
  const random = seededRandom(`articles of XQuAD, ${language}`);
  const dev = new Set([...new Set(all.map(({ article }) => article))].filter(() => random() < 0.5));
  return {
    all,
    dev: all.filter(({ article }) => dev.has(article)),
    test: all.filter(({ article }) => !dev.has(article)),
  };
}

interface Given {
  text: string;
  known: boolean;
}

const calm = new AbortController().signal;

async function answer(db: Database, { twinId, tenant }: TalkingTwin, message: string): Promise<Given> {
  const models = {
    db,
    generator: embeddedGenerator(),
    queryEmbedder: null,
    reranker: null,
    localModels: null,
    remoteGenerators: null,
  };
  const reply = await planReplyAlone(models, tenant, twinId, {
    ...{ message, history: [], learnt: [], audience: { kind: "stranger" }, seed: message },
  });
  return { text: await reply.whole(calm), known: reply.request.plan.kind === "knowledge" };
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[«»"“”„]/g, "")
    .replace(/\s+/g, " ");

type ExactAnswers = Record<
  "questions" | "answered" | "exact" | "exact of answered" | "sentences" | "unknown: honest",
  string
>;

export async function exactAnswers(db: Database, language: Language, part: "dev" | "test"): Promise<ExactAnswers> {
  const articles = splitArticles(language);
  const asked = articles[part].flatMap(({ questions }) => questions);
  const [knowing, ignorant] = [articles.all, articles[part === "test" ? "dev" : "test"]].map((paragraphs) =>
    paragraphs.map(({ text }) => text),
  );
  const twin = await twinOfTalks(db, [], knowing);
  await learn(db, twin);
  let [answered, exact, sentences] = [0, 0, 0];
  for (const { text, answer: wanted } of asked) {
    const given = await answer(db, twin, text);
    if (!given.known) continue;
    answered++;
    sentences += splitSentences(given.text).length;
    if (plain(given.text).includes(plain(wanted))) exact++;
  }
  const other = await twinOfTalks(db, [], ignorant);
  await learn(db, other);
  let honest = 0;
  for (const { text } of asked) if (!(await answer(db, other, text)).known) honest++;
  const share = (count: number, whole: number) => (count / Math.max(1, whole)).toFixed(3);
  return {
    questions: String(asked.length),
    answered: share(answered, asked.length),
    exact: share(exact, asked.length),
    "exact of answered": share(exact, answered),
    sentences: share(sentences, answered),
    "unknown: honest": share(honest, asked.length),
  };
}
