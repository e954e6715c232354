import type { CorrectionScope } from "#contract/correction-scope.ts";
import type { Correction, CorrectionKind } from "#contract/corrections.ts";
import { type Forms, plural } from "#web/i18n/plural.ts";

export const KINDS: Record<CorrectionKind, { name: string; about: string }> = {
  fact: { name: "Факт", about: "Двойник будет знать это и отвечать так на похожие вопросы" },
  style: { name: "Манера", about: "Двойник будет писать так и дальше" },
  example: { name: "Точный ответ", about: "На такой вопрос двойник ответит слово в слово" },
};

export const scopeInWords = (scope: CorrectionScope, contactName: string | null) =>
  scope === "everybody" ? "Для всех" : `Только для собеседника ${contactName ?? ""}`.trim();

const PEOPLE: Forms = ["человек", "человека", "человек"];

/** Says how many people have asked the same, never who they are; "" when no contact has or it is unknown. */
export function askedAlreadyInWords(people: number | undefined): string {
  if (!people) return "";
  if (people === 1) return "Пока об этом спросил один человек.";
  return `Об этом уже спрашивали: ${plural(people, PEOPLE)}.`;
}

/** The text beside the button that publishes: who would get the answer, and the reason to do it. */
export const sharedWithEveryoneText = (act: string, people: number | undefined): string =>
  [`${act}: ответ увидят все, кто спросит похожее.`, askedAlreadyInWords(people)].filter(Boolean).join(" ");

/** Says that an answer is being sent, and what the twin learns from it. */
export function sendingInWords(taught: CorrectionScope | undefined): string {
  if (taught === undefined) return "Ответ отправляется";
  return taught === "everybody"
    ? "Ответ отправляется, двойник запомнит его для всех"
    : "Ответ отправляется, двойник запомнит его для этого собеседника";
}

type CaseState = NonNullable<Correction["case"]>["state"];

export const CASE_LABELS: Record<CaseState, { text: string; tone: "neutral" | "success" | "danger" | "warning" }> = {
  unchecked: { text: "Ещё не проверяли", tone: "neutral" },
  passed: { text: "Держится", tone: "success" },
  broken: { text: "Перестало держаться", tone: "danger" },
  failed: { text: "Не держится", tone: "warning" },
};
