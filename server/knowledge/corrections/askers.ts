/** Counts people who have asked the same question: the owner sees the number as a reason to publish an answer. */
import { sql } from "drizzle-orm";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { personOfContacts } from "#server/knowledge/messages/people.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import { matchQuestion } from "#server/knowledge/question-similarity/question-match.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Maximum number of conversations that are read; these are the most recently active ones. */
const CONVERSATIONS = 200;
/** Maximum number of messages that are read of each; these are the newest ones. */
const LINES = 5;
/** Maximum number of pairs that are searched for in the history. */
const FOUND = 40;
/** Maximum length in characters; a longer message is no question. */
const LONGEST = 300;

interface Said {
  contactId: number;
  text: string;
}

/**
 * Counts distinct people and never names them. Questions are compared by words alone, so there may be more.
 * @param asker the contact whose question it is, who counts even if his words differ
 * @returns 0 if no contact has asked, or the question depends on its context
 */
export async function countAskers(tx: Tx, twinId: string, question: string, asker: number | null): Promise<number> {
  const stems = new Set(contentWords(question).map(stemOf));
  if (stems.size === 0 || mayDependOnContext(question)) return 0;
  const form = questionForm(question);
  const asksTheSame = ({ text }: Said) =>
    contentWords(text).some((word) => stems.has(stemOf(word))) && matchQuestion(questionForm(text), [form], []).same;
  const said = [...(await saidInConversations(tx, twinId)), ...(await saidInHistory(tx, twinId, question))];
  const contacts = said.filter(asksTheSame).map(({ contactId }) => contactId);
  if (asker !== null) contacts.push(asker);
  const personOf = contacts.length === 0 ? null : await personOfContacts(tx, twinId);
  return new Set(contacts.map((contact) => personOf?.get(contact) ?? contact)).size;
}

async function saidInConversations(tx: Tx, twinId: string): Promise<Said[]> {
  const { rows } = await tx.execute(sql`
    select talk.contact_id as contact, line.content as text
    from (select id, contact_id from conversations where twin_id = ${twinId} and contact_id is not null
      order by updated_at desc limit ${CONVERSATIONS}) talk
    join lateral (select m.content from conversation_messages m where m.conversation_id = talk.id and m.role = 'user'
      and length(m.content) <= ${LONGEST} order by m.id desc limit ${LINES}) line on true`);
  return (rows as { contact: number | string; text: string }[]).map(({ contact, text }) => ({
    contactId: Number(contact),
    text,
  }));
}

async function saidInHistory(tx: Tx, twinId: string, question: string): Promise<Said[]> {
  const sought = { twinId, query: question, audience: { kind: "owner" }, kinds: ["example"], limit: FOUND } as const;
  const pairs = (await searchTwin(tx, sought)).filter(({ incoming }) => incoming.length <= LONGEST);
  return pairs.map(({ contactId, incoming }) => ({ contactId, text: incoming }));
}
