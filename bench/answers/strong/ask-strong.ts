// The outcome of a strong model's answers: how many are right, how many would go out without the owner, and how well their probability
// tells the right ones. The model's calls are recorded (recorded-calls.ts), because no strong model can be had on these machines.
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { planReplyAlone } from "#server/answers/replies/plan-reply.ts";
import type { RecordedAnswer } from "#server/answers/replies/recorded-answer.ts";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { TalkingTwin } from "../../material/talking-twin.ts";
import type { Question } from "../questions.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import type { CallKind, RecordedCalls } from "./recorded-calls.ts";

export interface Asked {
  base: string;
  question: Question;
}

export interface Answered extends Asked {
  text: string;
  plan: Plan;
  verdict: Verdict;
  recorded: RecordedAnswer | undefined;
  /** Kinds of the flaws that their writer put into the first answer and into the last one; null: none. */
  flaws: [first: string | null, last: string | null];
  failed: string | null;
}

interface Options {
  db: Database;
  calls: RecordedCalls;
  twinOf: (base: string) => TalkingTwin;
  /** Base URLs of the servers that answer what is not recorded. */
  servers?: Record<CallKind, string> | undefined;
  /** Questions under way at once. */
  together: number;
}

const DAY_MS = 86_400_000;

export async function askStrong(
  questions: readonly Asked[],
  { db, calls, twinOf, servers, together }: Options,
): Promise<Answered[]> {
  const answered: Answered[] = [];
  const waiting = [...questions];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const generator = llmGenerator({
        ...{ baseUrl: "http://127.0.0.1:1/v1", model: "hand", foreign: false, firstTokenMs: DAY_MS, totalMs: DAY_MS },
        // The prompts were recorded for this length.
        contextTokens: 16_384,
        fetch: calls.clientFor(`${next.base} ${next.question.id}`, servers),
      });
      const given = await answer(next, generator, db, twinOf(next.base));
      answered.push({ ...given, flaws: calls.flawsOf(`${next.base} ${next.question.id}`) });
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return answered;
}

async function answer(
  asked: Asked,
  generator: Generator,
  db: Database,
  twin: TalkingTwin,
): Promise<Omit<Answered, "flaws">> {
  const { question } = asked;
  const models = { db, generator, queryEmbedder: null, reranker: null, localModels: null, remoteGenerators: null };
  const reply = await planReplyAlone(models, twin.tenant, twin.twinId, {
    ...{ message: question.text, history: question.history, learnt: [], audience: { kind: "stranger" } },
    ...{ seed: question.id, drafted: true, ownerAnswers: async () => "will" },
  });
  let failed: string | null = null;
  const text = await reply.whole(new AbortController().signal).catch((error: unknown) => {
    failed = String(error);
    return "";
  });
  const recorded = generator.notes?.(reply.request)?.recorded;
  return { ...asked, text, plan: reply.planOf(text), verdict: verdictOf(question, text), recorded, failed };
}
