/** What the owner's corrections say to one message: the answer that he has given to it, facts near to it, and habits. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { StyleRule } from "#contract/corrections.ts";
import type { Tx } from "#server/db/database.ts";
import { named } from "#server/db/named-statement.ts";
import type { corrections } from "#server/db/schema.ts";
import { leansOn } from "#server/language/contextual-query.ts";
import { asksWhoAnswers } from "#server/language/disclosure.ts";
import type { HistoryTurn } from "#server/language/history-turn.ts";
import { sentencesOf } from "#server/language/passage-sentences.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import { type Audience, audiencesOf } from "#server/search/twin-units.ts";
import { type QuestionForm, questionForm } from "./like-question.ts";
import { NEAR_QUESTION, type Sameness, samenessOf } from "./same-question.ts";

/** The newest so many are looked at for each message. */
const READ = 500;
/** Facts that are no answer to the very question, offered beside the passages of documents. */
const MOST_NEAR = 3;
const FACT_SOURCE = "Исправления владельца";
const CONFIRMED_SOURCE = "Подтверждённые факты";

/** What the owner has said is to be answered to such a question: before whatever documents and past replies say. */
export interface Corrected {
  /** exemplar: in these very words; fact: this is so. */
  kind: "fact" | "exemplar";
  text: string;
  /** The question that was corrected; null where this audience may not see it. */
  question: string | null;
  /** Of that question to the message, 0..1. */
  likeness: number;
  /** What is named as its source, where it was no answer of the twin's that was corrected. */
  source?: string;
}

export type LearntRow = Pick<
  typeof corrections.$inferSelect,
  "id" | "kind" | "question" | "rewordings" | "context" | "text" | "rules" | "contactId" | "audience"
> & {
  /** Found in the owner's letters and confirmed by him. */
  confirmed: boolean;
};

/**
 * The corrections in force as one column of a named statement, whose `learntFor` is given `[0]` or, with what holds for one contact too,
 * `[0, contactId]`; newest first.
 */
export const learntOf = (twinId: SQLWrapper): SQL => sql`(
  select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'question', l.question, 'rewordings', l.rewordings,
    'context', l.context, 'text', l.text, 'rules', l.rules, 'contactId', l.contact_id, 'audience', l.audience, 'confirmed', l.fact_subject is not null) order by l.place desc), '[]')
  from (select c.* from corrections c where c.twin_id = ${twinId} and c.state = 'active'
    and c.audience = any(${sql.placeholder("learntFor")}::bigint[]) order by c.place desc limit ${sql.raw(`${READ}`)}) l)`;

const learntOfTwin = named<{ twinId: string; learntFor: number[] }, { learnt: LearntRow[] }>(
  "learnt",
  sql`select ${learntOf(sql`${sql.placeholder("twinId")}::uuid`)} as learnt`,
);

/** The corrections in force for this audience, newest first. What holds for one contact is read for nobody else. */
export async function readLearnt(tx: Tx, twinId: string, audience: Audience): Promise<LearntRow[]> {
  // The owner is answered as everybody is.
  const [row] = await learntOfTwin(tx, { twinId, learntFor: audiencesOf(audience) ?? [0] });
  return row!.learnt;
}

export interface Learnt {
  corrected: Corrected | null;
  passages: ReplyPassage[];
  rules: StyleRule[];
}

export interface AskedNow {
  audience: Audience;
  message: string;
  history: readonly HistoryTurn[];
  /** By a correction's id: how likely each wording of its question means the same (`nearLessons`). Those that are not there are compared by words alone. */
  near: ReadonlyMap<string, readonly number[]>;
}

/** @param rows as `readLearnt` gives them for the same audience */
export function learntFor(rows: readonly LearntRow[], { audience, message, history, near }: AskedNow): Learnt {
  const rules = rulesIn(rows);
  // Who answers is never the owner's to reword.
  if (rows.length === 0 || asksWhoAnswers(message)) return { corrected: null, passages: [], rules };
  const asked = formIn(history, message);
  const answers = rows
    .filter(({ kind }) => kind !== "style")
    .map((row) => ({ row, ...likenessOf(row, asked, { audience, near }) }))
    .filter(({ like }) => like >= NEAR_QUESTION);
  // The contact's own before everybody's, then the likest, then the newest.
  answers.sort((a, b) => Number(b.row.audience > 0) - Number(a.row.audience > 0) || b.like - a.like);
  const best = answers.find(({ same }) => same);
  const facts = answers.filter(({ row }) => row.kind === "fact" && row !== best?.row).slice(0, MOST_NEAR);
  return {
    corrected:
      best === undefined
        ? null
        : {
            kind: best.row.kind as "fact" | "exemplar",
            text: best.row.text,
            question: mayShowQuestion(best.row, audience) ? best.row.question : null,
            likeness: best.like,
            ...(best.row.confirmed ? { source: CONFIRMED_SOURCE } : {}),
          },
    passages: facts.map(({ row, like }) => ({
      id: row.id,
      documentId: "",
      name: row.confirmed ? CONFIRMED_SOURCE : FACT_SOURCE,
      heading: mayShowQuestion(row, audience) ? row.question : "",
      text: row.text,
      score: like,
      sentences: sentencesOf(row.text).map((text) => ({ text, score: like })),
    })),
    rules,
  };
}

function likenessOf(
  row: LearntRow,
  asked: QuestionForm,
  { audience, near }: Pick<AskedNow, "audience" | "near">,
): Sameness {
  const context = contextFor(row, audience);
  const wordings = [formIn(context, row.question), ...row.rewordings.map(questionForm)];
  // Learnt together with what was said before, which is not this asker's to hear of.
  const hidden = context.length < row.context.length && leansOn(row.context, row.question) !== null;
  return samenessOf(asked, wordings, hidden ? [] : (near.get(row.id) ?? []));
}

/** A question that leans on the one before it is compared together with that one. */
function formIn(history: readonly HistoryTurn[], question: string) {
  const before = history.length === 0 ? null : leansOn(history, question);
  return questionForm(before === null ? question : `${before} ${question}`);
}

/** What a contact had said before is compared with nobody else's words. */
const contextFor = (row: LearntRow, audience: Audience): LearntRow["context"] =>
  mayShowQuestion(row, audience) ? row.context : [];

/** What a contact has asked stands in nobody else's prompt. */
const mayShowQuestion = ({ contactId }: LearntRow, audience: Audience): boolean =>
  contactId === null || audience.kind === "owner" || (audience.kind === "contact" && audience.contactId === contactId);

/** Of each habit the contact's own rule, else the newest; of phrases all. */
function rulesIn(rows: readonly LearntRow[]): StyleRule[] {
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
