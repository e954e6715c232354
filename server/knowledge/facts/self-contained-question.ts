import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";

/** Whether the message is a question that can be understood without its context. */
export function isSelfContainedQuestion(message: string): boolean {
  const text = message.trim();
  if (wantOf(text) !== "question" || smallTalkOf(text) !== null) return false;
  if (!mayDependOnContext(text)) return true;
  // The reference may be resolved by the preceding clause, if that is itself self-contained: «Кофе кислит, это брак?».
  const [named, ...rest] = text.split(/(?<=\p{L}),\s|\s—\s|[.!\n]\s?/u);
  return rest.length > 0 && smallTalkOf(named!) === null && !mayDependOnContext(named!);
}
