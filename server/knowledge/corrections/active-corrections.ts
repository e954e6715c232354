/** Finds the owner's corrections that concern one message: the corrected answer, related facts and style rules. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { StyleRule } from "#contract/corrections.ts";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { type Audience, audiencesOf } from "#server/knowledge/embeddings/twin-units.ts";
import { asksWhoAnswers } from "#server/knowledge/language/disclosure.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { dependsOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { type QuestionForm, questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import {
  matchQuestion,
  NEAR_QUESTION_LIKELIHOOD,
  type QuestionMatch,
} from "#server/knowledge/question-similarity/question-match.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { namedStatement } from "#server/platform/db/named-statement.ts";
import type { corrections } from "#server/platform/db/schema/public-replies.ts";
import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";

const READ = 500;
/** Maximum number of facts on related questions that are offered beside the chunks of documents. */
const MAX_NEAR_FACTS = 3;
const FACT_SOURCE = "Исправления владельца";
const CONFIRMED_SOURCE = "Подтверждённые факты";

/** The owner's answer to a question; it takes precedence over documents and past replies. */
export interface CorrectedAnswer {
  /** "example": must be sent verbatim; "fact": may be reworded. */
  kind: "fact" | "example";
  text: string;
  /** The corrected question; null when this audience may not see it. */
  question: string | null;
  similarity: number;
  secrecy: Secrecy;
  /** Source name of a fact that does not correct one of the twin's answers. */
  source?: string;
}

export type ActiveCorrection = Pick<
  typeof corrections.$inferSelect,
  "id" | "kind" | "question" | "rewordings" | "context" | "text" | "rules" | "contactId" | "audience"
> & {
  confirmed: boolean;
};

/**
 * SQL for the corrections in force, newest first, as one JSON column. Parameter `learntFor` is `[0]`, or `[0, contactId]` to add those
 * for one contact.
 */
export const activeCorrectionsSql = (twinId: SQLWrapper): SQL => sql`(
  select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'question', l.question, 'rewordings', l.rewordings,
    'context', l.context, 'text', l.text, 'rules', l.rules, 'contactId', l.contact_id, 'audience', l.audience, 'confirmed', l.fact_subject is not null) order by l.place desc), '[]')
  from (select c.* from corrections c where c.twin_id = ${twinId} and c.state = 'active'
    and c.audience = any(${sql.placeholder("learntFor")}::bigint[]) order by c.place desc limit ${sql.raw(`${READ}`)}) l)`;

const learntOfTwin = namedStatement<{ twinId: string; learntFor: number[] }, { learnt: ActiveCorrection[] }>(
  "learnt",
  sql`select ${activeCorrectionsSql(sql`${sql.placeholder("twinId")}::uuid`)} as learnt`,
);

/** Reads the corrections in force for this audience, newest first. A contact's own corrections are loaded only for that contact. */
export async function readActiveCorrections(tx: Tx, twinId: string, audience: Audience): Promise<ActiveCorrection[]> {
  // `audiencesOf` sets no limit for an owner. As an asker he gets only the corrections for everyone.
  const [row] = await learntOfTwin(tx, { twinId, learntFor: audiencesOf(audience) ?? [0] });
  return row!.learnt;
}

interface MatchedCorrections {
  corrected: CorrectedAnswer | null;
  chunks: ReplyChunk[];
  rules: StyleRule[];
}

interface CurrentQuestion {
  audience: Audience;
  message: string;
  history: readonly HistoryTurn[];
  /**
   * Likelihood that each wording of a correction's question means the same, by correction id (`nearCorrections`). Corrections without an
   * entry are compared by words alone.
   */
  near: ReadonlyMap<string, readonly number[]>;
}

/** @param rows from `readActiveCorrections` for the same audience */
export function matchCorrections(
  rows: readonly ActiveCorrection[],
  { audience, message, history, near }: CurrentQuestion,
): MatchedCorrections {
  const rules = rulesIn(rows);
  // Corrections must not change the disclosure that an AI answers.
  if (rows.length === 0 || asksWhoAnswers(message)) return { corrected: null, chunks: [], rules };
  const asked = formIn(history, message);
  const answers = rows
    .filter(({ kind }) => kind !== "style")
    .map((row) => ({ row, ...similarityOf(row, asked, { audience, near }) }))
    .filter(({ like }) => like >= NEAR_QUESTION_LIKELIHOOD);
  // The contact's own corrections come first, then the most similar, then the newest.
  answers.sort((a, b) => Number(b.row.audience > 0) - Number(a.row.audience > 0) || b.like - a.like);
  const best = answers.find(({ same }) => same);
  const facts = answers.filter(({ row }) => row.kind === "fact" && row !== best?.row).slice(0, MAX_NEAR_FACTS);
  return {
    corrected:
      best === undefined
        ? null
        : {
            kind: best.row.kind as "fact" | "example",
            text: best.row.text,
            question: mayShowQuestion(best.row, audience) ? best.row.question : null,
            similarity: best.like,
            secrecy: secrecyOf(best.row),
            ...(best.row.confirmed ? { source: CONFIRMED_SOURCE } : {}),
          },
    chunks: facts.map(({ row, like }) => ({
      id: row.id,
      documentId: "",
      name: row.confirmed ? CONFIRMED_SOURCE : FACT_SOURCE,
      heading: mayShowQuestion(row, audience) ? row.question : "",
      text: row.text,
      score: like,
      secrecy: secrecyOf(row),
      sentences: sentencesOf(row.text).map((text) => ({ text, score: like })),
    })),
    rules,
  };
}

function similarityOf(
  row: ActiveCorrection,
  asked: QuestionForm,
  { audience, near }: Pick<CurrentQuestion, "audience" | "near">,
): QuestionMatch {
  const context = contextFor(row, audience);
  const wordings = [formIn(context, row.question), ...row.rewordings.map(questionForm)];
  // The embedding includes a context that this asker may not see, so it is not used.
  const hidden = context.length < row.context.length && dependsOnContext(row.context, row.question) !== null;
  return matchQuestion(asked, wordings, hidden ? [] : (near.get(row.id) ?? []));
}

/** Returns the form of a question used for comparison; a follow-up is combined with the previous question. */
function formIn(history: readonly HistoryTurn[], question: string) {
  const before = history.length === 0 ? null : dependsOnContext(history, question);
  return questionForm(before === null ? question : `${before} ${question}`);
}

/** A contact's earlier messages are compared only with messages of the same contact. */
const contextFor = (row: ActiveCorrection, audience: Audience): ActiveCorrection["context"] =>
  mayShowQuestion(row, audience) ? row.context : [];

/** A contact's question must not appear in another contact's prompt. */
const mayShowQuestion = ({ contactId }: ActiveCorrection, audience: Audience): boolean =>
  contactId === null || audience.kind === "owner" || (audience.kind === "contact" && audience.contactId === contactId);

/** A correction for one contact comes from messages with that contact. */
const secrecyOf = ({ audience }: ActiveCorrection): Secrecy => (audience === 0 ? "public" : "contact");

/** Returns all phrase rules, and for each other habit the contact's own rule or else the newest one. */
function rulesIn(rows: readonly ActiveCorrection[]): StyleRule[] {
  const ordered = rows
    .filter(({ kind }) => kind === "style")
    .sort((a, b) => Number(b.audience > 0) - Number(a.audience > 0))
    .flatMap(({ rules }) => rules);
  const seen = new Set<string>();
  return ordered.filter((rule) => {
    const about = rule.habit === "phrase" ? `phrase ${rule.phrase.toLowerCase()}` : rule.habit;
    return !seen.has(about) && seen.add(about);
  });
}
