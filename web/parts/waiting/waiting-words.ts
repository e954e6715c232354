import { pluralForm } from "#web/i18n/plural.ts";
import type { WaitingCounts } from "./queries.ts";
import { shortCount } from "./short-count.ts";

/** Returns a sentence such as «Ждёт одобрения 1 ответ.», «Ждут одобрения 3 ответа. Действий, которые ждут вас: 2.» */
export function waitingText({ answers, acts }: WaitingCounts): string {
  const verb = pluralForm(answers, ["Ждёт", "Ждут", "Ждут"]);
  return [
    answers > 0 && `${verb} одобрения ${shortCount(answers)} ${pluralForm(answers, ["ответ", "ответа", "ответов"])}.`,
    acts > 0 && `Действий, которые ждут вас: ${shortCount(acts)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
