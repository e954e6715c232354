/** Asks a model the questions of the exam, through the same pipeline as a stranger's message, and marks its answers. */
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import type { ModelExam } from "#contract/models/remote-model.ts";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { planFromMemory, type TwinInMemory } from "#server/answers/replies/plan-reply.ts";
import { fixedIndex } from "#server/knowledge/search/fixed-index.ts";
import type { ExamRun } from "#server/platform/db/schema/models.ts";
import { Problem } from "#server/platform/errors.ts";
import { EXAM_DOCUMENTS, EXAM_TWIN } from "./exam-base.ts";
import { EXAM, type ExamQuestion } from "./exam-questions.ts";
import { abilityOf, countMarks, markOf } from "./marks.ts";
import { isWithoutAnswer } from "./without-answer.ts";

export type Progress = Pick<ExamRun, "answers" | "records" | "tokens">;

interface Running {
  generator: Generator;
  payer: Payer;
  signal: AbortSignal;
  /** Whether the model runs here: it is slow, may miss its time, and its words are replaced unless somebody reviews them. */
  isOnThisServer?: boolean;
  /** Tokens that were spent since the last call of it. */
  spent(): number;
  /** Stores the progress before each question. @returns whether the exam is still wanted: the model may have been changed or removed */
  isWanted(progress: Required<Progress>): Promise<boolean>;
}

export interface ExamResult {
  exam: ModelExam;
  answers: ExamAnswer[];
}

/** @param begun what an interrupted run has got. @returns null when the exam is no longer wanted. @throws Problem when the model cannot be asked */
export async function askQuestions(
  { generator, payer, signal, isOnThisServer = false, spent, isWanted }: Running,
  { answers: known = [], records: recorded = 0, tokens: charged = 0 }: Progress = {},
): Promise<ExamResult | null> {
  const twin: TwinInMemory = { twin: EXAM_TWIN, index: fixedIndex(EXAM_DOCUMENTS) };
  const answers = [...known];
  let [records, tokens] = [recorded, charged];
  for (const question of EXAM.slice(answers.length)) {
    if (!(await isWanted({ answers, records, tokens }))) return null;
    // One missed answer is the model's; two in a row mean that it cannot be asked.
    const mayFail = isOnThisServer && answers.at(-1)?.said !== null;
    const { answer, isRecorded } = await ask(
      { generator, twin, payer, drafted: isOnThisServer, mayFail },
      question,
      signal,
    );
    answers.push(answer);
    tokens += spent();
    if (isRecorded) records++;
  }
  const marks = answers.map(({ mark }) => mark);
  const exam = { ...countMarks(marks), records, ability: abilityOf(marks), tokens, at: new Date().toISOString() };
  return { exam, answers };
}

interface Asked extends Pick<Running, "generator" | "payer"> {
  twin: TwinInMemory;
  drafted: boolean;
  mayFail: boolean;
}

async function ask(
  { generator, twin, payer, drafted, mayFail }: Asked,
  question: ExamQuestion,
  signal: AbortSignal,
): Promise<{ answer: ExamAnswer; isRecorded: boolean }> {
  const { message, history = [], expected } = question;
  const before = history.map(({ content }) => content).join(" — ");
  const shown = { question: message, expected, ...(before === "" ? {} : { before }) };
  const planned = await planFromMemory(generator, twin, { message, history, payer, drafted });
  try {
    const text = await planned.whole(signal);
    const mark = markOf(question, { text, plan: planned.planOf(text) });
    return { answer: { ...shown, said: text, mark }, isRecorded: planned.isRecorded };
  } catch (error) {
    const hasFailed = mayFail && !signal.aborted && error instanceof Problem && error.code === "model_failed";
    if (!hasFailed && !isWithoutAnswer(error)) throw error;
    return { answer: { ...shown, said: null, mark: markOf(question, null) }, isRecorded: false };
  }
}
