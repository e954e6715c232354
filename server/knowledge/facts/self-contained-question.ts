import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";

/** Whether the message is a question that is understood without what was said before it. */
export function isSelfContainedQuestion(message: string): boolean {
  const text = message.trim();
  if (wantOf(text) !== "question" || smallTalkOf(text) !== null) return false;
  if (!mayDependOnContext(text)) return true;
  // «Кофе кислит, это брак?»: what is pointed at was named in the clause before, if that one points at nothing itself.
  const [named, ...rest] = text.split(/(?<=\p{L}),\s|\s—\s|[.!\n]\s?/u);
  return rest.length > 0 && smallTalkOf(named!) === null && !mayDependOnContext(named!);
}
