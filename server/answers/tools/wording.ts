/** What code says for a tool: no model words what decides about personal data or about an act. */

import type { Named } from "#contract/actions/tool-call.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { ActArgument } from "#server/platform/db/schema/tools.ts";
import { formatDate } from "#server/platform/text/date-format.ts";
import { inSentence, listed } from "./tool.ts";

const by = (address: Address | null, formal: string, familiar: string): string =>
  address === "ты" ? familiar : formal;

export const askFor = (labels: readonly string[], address: Address | null): string =>
  `${by(address, "Подскажите, пожалуйста", "Подскажи, пожалуйста")}: ${listed(labels)}.`;

/** The same for a wrong proof and for what does not exist. */
export const notFound = (labels: readonly string[], address: Address | null): string =>
  labels.length === 0
    ? `По этим данным ничего не нашлось. ${by(address, "Проверьте их, пожалуйста", "Проверь их, пожалуйста")}.`
    : `По этим данным ничего не нашлось. ${by(address, "Проверьте, пожалуйста", "Проверь, пожалуйста")}: ${listed(labels)}.`;

/** @param promised whether the owner will read it */
export const handedOver = (promised: boolean, address: Address | null): string =>
  promised
    ? "Не получается это проверить. Передам вопрос, ответим здесь же."
    : `Не получается это проверить. ${by(address, "Попробуйте, пожалуйста, позже", "Попробуй, пожалуйста, позже")}.`;

export const confirmQuestion = (title: string, values: readonly ActArgument[], address: Address | null): string => {
  const what = values.map(({ label, value }) => `${inSentence(label)} — ${shownValue(value)}`).join(", ");
  return `${title}${what === "" ? "" : `: ${what}`}. Всё верно? ${by(address, "Ответьте «да», и я передам", "Ответь «да», и я передам")}.`;
};

export const PASSED_ON = "Спасибо! Передаю на подтверждение и напишу, как только будет готово.";
/** Where the owner is asked, who answers himself. */
export const WILL_ASK = "Уточню и отвечу здесь же.";
export const LEFT_ALONE = "Хорошо, ничего не меняю.";

export const dryRun = (title: string): string =>
  `Проверочный разговор: действие «${title}» не вызвано. В настоящем диалоге оно ушло бы вам на подтверждение.`;

export const DRY_QUESTION =
  "Проверочный разговор: вопрос не задан. В настоящем диалоге он ушёл бы вам, а собеседник получил бы ваш ответ.";

/** Why a test chat calls nothing without a model. */
export const needsModelNote = (why: "fields" | "examples"): string =>
  why === "fields"
    ? "Действию нужно несколько значений, а без модели двойник узнаёт в сообщении только одно."
    : "Без модели двойник узнаёт только примеры, в которых есть нужный номер.";

/** Why a test chat calls none of several tools without a model. @param titles two or more */
export const severalMeantNote = (titles: readonly string[]): string =>
  `Вопрос подходит сразу к нескольким действиям: ${titles.map((title) => `«${title}»`).join(", ")}. Без модели двойник между ними не выбирает.`;

/** What the asker reads once the act is done. */
export const doneText = (title: string, result: readonly Named[]): string =>
  [`Готово: ${inSentence(title)}.`, ...result.slice(0, 10).map(lineOf)].join("\n");

export const notDone = (title: string): string => `Не получилось: ${inSentence(title)}. Разберёмся и напишем здесь же.`;

/** An answer without a model: what was asked about, and what the system says. */
export function resultText(values: readonly ActArgument[], result: readonly Named[]): string {
  const about = values.filter(({ name }) => !name.startsWith("proof")).map(({ label, value }) => `${label} ${value}`);
  const lines = result.filter(
    ({ label, value }) => !values.some((given) => given.label === label && given.value === value),
  );
  return [...(about.length === 0 ? [] : [`${about.join(", ")}.`]), ...lines.map(lineOf)].join("\n");
}

const lineOf = ({ label, value }: Named): string => `${label}: ${withReadableDate(value)}`;

/** «29 декабря 2026 г.» for a system's «2026-12-29». */
export const withReadableDate = (value: string): string =>
  value.replace(/^(20\d{2})-(0[1-9]|1[0-2])-([0-3]\d)(?=$|T)/, (iso, year: string, month: string, day: string) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    return date.getUTCDate() === Number(day) ? formatDate(date, "long", "UTC") : iso;
  });

/** «2026-12-04» as people read it. */
export function shownValue(value: string): string {
  const [, year, month, day] = /^(20\d{2})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === undefined) return value;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return formatDate(date, "weekday", "UTC");
}
