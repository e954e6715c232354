// What the embedded generator answers to XQuAD's questions: whether the reply holds the answer, of how many sentences, and whether it
// says honestly that it does not know what its documents do not say. Articles are split once, by seed; test is reported.
import { asTenant, type Database } from "#server/db/database.ts";
import { splitSentences } from "#server/knowledge/sentences.ts";
import { embeddedReply } from "#server/replies/generators/embedded.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { prepareReply } from "#server/replies/reply.ts";
import { seededRandom } from "#server/seeded-random.ts";
import { type Language, type Paragraph, readXquad } from "./public-data.ts";
import { learn, type TalkingTwin, twinOfTalks } from "./talking-twin.ts";

/** Of each language's articles, the half that nothing was tuned on. */
export function splitArticles(language: Language): { dev: Paragraph[]; test: Paragraph[]; all: Paragraph[] } {
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

async function answer(db: Database, { twinId, tenant }: TalkingTwin, message: string): Promise<Given> {
  const request = await asTenant(db, tenant, async (tx) => {
    const { twin, index } = await openTwin(tx, tenant, twinId);
    const audience = { kind: "stranger" } as const;
    const asked = { message, history: [], learnt: [], meaning: null, audience, seed: message };
    return prepareReply({ twin, index, ...asked, generator: "embedded" });
  });
  return { text: embeddedReply(request), known: request.plan.kind === "knowledge" };
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[«»"“”„]/g, "")
    .replace(/\s+/g, " ");

export type ExactAnswers = Record<
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
