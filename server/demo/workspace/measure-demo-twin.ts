/** The first measurement of the demo's private person, with answers that a capable model has written beforehand. */
import { and, eq } from "drizzle-orm";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { measureFidelity } from "#server/answers/training/measure-fidelity.ts";
import { loadDemoContent } from "#server/demo/content/demo-content.ts";
import {
  completed,
  digestTalk,
  loadRecordedAnswers,
  RECORDED_MODEL,
  RECORDED_TWIN,
  type RecordedAnswer,
} from "#server/demo/content/recorded-answers.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

type Deps = Parameters<typeof measureFidelity>[0];
type Data = Parameters<typeof measureFidelity>[1];

const HOUR_MS = 3_600_000;

/**
 * Measures the private person's twin with the recorded answers, if it is the demo's, no model is configured and nothing was measured yet.
 * Every later measurement is of what the installation itself answers.
 * @returns whether it was measured so; otherwise the usual measurement is due
 */
export async function measureDemoTwin(deps: Deps, data: Data, signal: AbortSignal): Promise<boolean> {
  if (deps.generator?.name !== "embedded" || !(await isUnmeasuredDemoTwin(deps, data))) return false;
  const recorded = await loadRecordedAnswers();
  for (const audience of ["contacts", "strangers"] as const) {
    const answers = recorded.filter((one) => one.audience === audience);
    if (answers.length === 0) return false;
    // The recorded model alone answers, whatever else could be chosen.
    const models = { generator: recordedGenerator(replay(answers)), queryEmbedder: null, reranker: null };
    const recordedAlone = { db: deps.db, jobs: deps.jobs, ...models, localModels: null, remoteGenerators: null };
    const asked = { contacts: 0, strangers: 0, [audience]: answers.length };
    await measureFidelity(recordedAlone, { ...data, only: audience }, signal, asked);
  }
  return true;
}

async function isUnmeasuredDemoTwin({ db }: Deps, data: Data): Promise<boolean> {
  const { organizationId } = await ensureDemoUser(db);
  if (data.organizationId !== organizationId) return false;
  const { name } = (await loadDemoContent()).find(({ slug }) => slug === RECORDED_TWIN)!;
  return asTenant(db, data, async (tx) => {
    const [twin] = await tx
      .select({ id: twins.id })
      .from(twins)
      .where(and(eq(twins.id, data.twinId), eq(twins.name, name)));
    const measures = await tx
      .select({ audience: fidelityMeasures.audience, model: fidelityMeasures.model })
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, data.twinId));
    // A process that ended between the two has measured contacts alone.
    const isDue = measures.every(({ audience, model }) => audience === "contacts" && model === RECORDED_MODEL);
    return twin !== undefined && isDue;
  });
}

function replay(answers: readonly RecordedAnswer[]): typeof fetch {
  const byTalk = new Map(answers.map(({ talk, completion }) => [talk, completion]));
  return async (_input, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: { role: string; content: string }[] };
    const completion = byTalk.get(digestTalk(messages));
    return completion === undefined
      ? Response.json({ error: { message: "not recorded" } }, { status: 404 })
      : completed(completion);
  };
}

/** @param client answers each call; no server is asked */
export const recordedGenerator = (client: typeof fetch) =>
  llmGenerator({
    ...{ baseUrl: "http://127.0.0.1:1/v1", model: RECORDED_MODEL, foreign: false },
    ...{ firstTokenMs: HOUR_MS, totalMs: HOUR_MS, contextTokens: 16_384 },
    fetch: client,
  });
