import type { FactVariant } from "#contract/knowledge/chat-facts.ts";
import { formatDate, formatNumber } from "#web/i18n/format.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";

const FACT_FORMS: Forms = ["факт", "факта", "фактов"];

export const factsInWords = (count: number): string => plural(count, FACT_FORMS);

/**
 * Label of the collapsed facts whose question is not self-contained.
 * @param alone whether no facts are shown above it
 */
export const unclearInWords = (count: number, alone: boolean): string =>
  alone ? `Показать ${formatNumber(count)} без ясного вопроса` : `Ещё ${formatNumber(count)} без ясного вопроса`;

export const foundInWords = (total: number): string => `Мы нашли ${factsInWords(total)} в переписке`;

/** Says how often the owner wrote it, to how many people, and when last. */
export function saidInWords({ times, people, saidAt }: FactVariant): string {
  const date = formatDate(saidAt);
  if (times === 1) return `Вы написали это один раз, ${date}`;
  const often = plural(times, ["раз", "раза", "раз"]);
  const whom = people === 1 ? "одному человеку" : plural(people, ["человеку", "людям", "людям"]);
  return `Вы написали это ${often} ${whom}, последний раз ${date}`;
}
