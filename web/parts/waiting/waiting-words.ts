import { pluralForm } from "#web/i18n/plural.ts";
import { shortCount } from "./short-count.ts";

/** Returns a sentence such as «Ждёт одобрения 1 ответ.». */
export function waitingText(count: number): string {
  const verb = pluralForm(count, ["Ждёт", "Ждут", "Ждут"]);
  return `${verb} одобрения ${shortCount(count)} ${pluralForm(count, ["ответ", "ответа", "ответов"])}.`;
}
