/**
 * Decides whether a model's sentence may be sent as a social reply to a friend: it names nothing outside the conversation, agrees to
 * nothing, promises nothing and claims nothing about the owner's day. A small model that comprehends badly still writes such sentences
 * well enough.
 */
import { addressIn } from "#server/knowledge/language/address.ts";
import { DEFERRED_ACTS } from "#server/knowledge/language/everyday.ts";
import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import { quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import type { Friend } from "../owner-words/friend-policy.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { SourceFacts } from "../wording/source-facts.ts";

const LONGEST = 160;
const words = (text: string) => new Set(text.trim().split(/\s+/));
/** Words that agree or refuse at the start of a reply to an invitation or a request. */
const VERDICTS = words(
  `да нет неа не ага угу конечно можно нельзя ок окей ладно хорошо давай договорились идет буду будем готов готова согласен согласна обязательно непременно легко разумеется отлично супер здорово yes yeah yep no ok okay sure`,
);
const FELT = words(
  `думаю надеюсь понимаю вижу верю боюсь чувствую сочувствую соболезную поздравляю сожалею завидую горжусь радуюсь обнимаю целую рад рада счастлив счастлива согласен согласна уверен уверена жаль приятно
  отпишусь напишу подумаю отвечу прошу желаю люблю скучаю`,
);
const OF_ONESELF = words("я мы мне меня нам нас мной нами");
const PAST = /(?:[аяеиуыо]л(?:а|и|о)?|[аяеиуы]л(?:ся|ась|ись))$/u;
const PRESENT = /(?:[ую]|[ую]сь|[еи]м|[еи]мся)$/u;

/** @param sources words of the conversation, see `talkFacts` */
export function isFriendlySentence(sentence: string, { act }: Friend, sources: SourceFacts): boolean {
  if (sentence.length > LONGEST || quantitiesIn(sentence).length > 0) return false;
  const said = wordsOf(sentence);
  if (addressIn(said).polite) return false;
  if (sources.unsupported(sentence).some(({ kind }) => kind !== "person")) return false;
  if (commitmentsIn(sentence).some(({ defers }) => !defers)) return false;
  if (DEFERRED_ACTS.has(act) && VERDICTS.has(said.find((word) => !OPENS.has(word)) ?? "")) return false;
  return !tellsOfOneself(said);
}

const OPENS = words("ну а ой ох о так слушай вот эх");

/** The twin cannot know what the owner does: «Я сейчас на работе», «Сижу дома», «мы вчера ходили». */
function tellsOfOneself(said: readonly string[]): boolean {
  const first = said.find((word) => !OPENS.has(word)) ?? "";
  const begins = PRESENT.test(first) && first.length > 3 && !FUNCTION_WORDS.has(first) && !FELT.has(first);
  if (begins || (PAST.test(first) && first.length > 3)) return true;
  if (!said.some((word) => OF_ONESELF.has(word))) return false;
  return !said.some((word) => FELT.has(word)) || said.some((word) => PAST.test(word) && word.length > 4);
}

/** Only words of this conversation may be named; past replies and the twin's description belong to other days. */
export const talkFacts = ({ message, history, contactName = "" }: ReplyRequest): SourceFacts =>
  new SourceFacts([message, ...history.flatMap(({ content, claimed }) => (claimed ? [] : content)), contactName]);
