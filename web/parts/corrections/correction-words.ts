import type { Correction, CorrectionKind, CorrectionScope } from "#contract/corrections.ts";

export const KINDS: Record<CorrectionKind, { name: string; about: string }> = {
  fact: { name: "Факт", about: "Двойник будет знать это и отвечать так на похожие вопросы" },
  style: { name: "Манера", about: "Двойник будет писать так во всех ответах" },
  example: { name: "Точный ответ", about: "На такой вопрос двойник ответит слово в слово" },
};

export const scopeInWords = (scope: CorrectionScope, contactName: string | null) =>
  scope === "everybody" ? "для всех" : `только для собеседника ${contactName ?? ""}`.trim();

type CaseState = NonNullable<Correction["case"]>["state"];

export const CASES: Record<CaseState, { text: string; tone: "neutral" | "success" | "danger" | "warning" }> = {
  unchecked: { text: "Ещё не проверяли", tone: "neutral" },
  passed: { text: "Держится", tone: "success" },
  broken: { text: "Перестало держаться", tone: "danger" },
  failed: { text: "Не держится", tone: "warning" },
};
