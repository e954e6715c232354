/**
 * Messages that nobody has written, to which the owner shows how he would answer. What they ask about comes from his documents, so nothing
 * in them is private; the rest are occasions that documents do not hold: an opening, thanks, a complaint, a refusal.
 */
import { INVENTED_MESSAGES, type StyleSamples } from "#contract/knowledge/style-samples.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { listPhrases } from "#server/knowledge/public-replies/phrases.ts";
import { listStyleSamples } from "#server/knowledge/public-replies/style-samples.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { questionsInDocuments, USUAL_QUESTIONS } from "./document-questions.ts";

/** One of each kind, because people write differently when they greet, refuse or apologise. */
const OCCASIONS: readonly string[] = [
  "Здравствуйте! Подскажите, вы сейчас на связи?",
  "А подешевле можно? Видел такое же за меньшие деньги",
  "Спасибо большое, всё понравилось!",
  "Вы обещали ответить ещё вчера, а я так и жду",
  "Нужно уже сегодня вечером, успеете?",
  "Извините, не получается в этот раз. Можно перенести?",
  "Хорошо, я тогда подумаю и напишу",
  "А что вы сами посоветуете?",
];

/** @throws Problem 404 when the twin is not the caller's own */
export function listSamplesAndMessages(db: Database, caller: Caller, twinId: string): Promise<StyleSamples> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const samples = await listStyleSamples(tx, twinId);
    const answered = new Set(samples.map(({ incoming }) => incoming));
    const messages = await inventMessages(tx, twinId);
    const phrases = await listPhrases(tx, twinId);
    return { samples, messages: messages.filter((message) => !answered.has(message)), phrases };
  });
}

/** Occasions and questions, the documents' own first, in turn, so that the exercise does not read like a form. */
async function inventMessages(tx: Tx, twinId: string): Promise<string[]> {
  const questions = new Set([...(await questionsInDocuments(tx, twinId)), ...USUAL_QUESTIONS]);
  const asked = [...questions].slice(0, INVENTED_MESSAGES - OCCASIONS.length);
  return OCCASIONS.flatMap((occasion, at) => (asked[at] === undefined ? [occasion] : [occasion, asked[at]]));
}
