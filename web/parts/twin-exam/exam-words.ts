import type { TwinExam, TwinExamResult } from "#contract/twin-exam.ts";

/** «Из 20 ответов вы приняли 19.» */
export const acceptedText = ({ marked, accepted }: TwinExamResult): string =>
  accepted === marked ? `Вы приняли все ответы: ${marked}.` : `Из ${marked} ответов вы приняли ${accepted}.`;

/** What the twin does at the level «Сам, если уверен» after the owner's marks. */
export function sendsText({ marked, sent, sentAccepted }: TwinExamResult): string {
  if (sent === 0) return "На уровне «Сам, если уверен» двойник из них не отправил бы сам ничего: всё ждало бы вас.";
  const wrong = sent - sentAccepted;
  const told = wrong === 0 ? "все они приняты вами" : `не приняты вами из них ${wrong}`;
  return `На уровне «Сам, если уверен» двойник отправил бы сам ${sent} из ${marked}, ${told}.${marked === sent ? "" : " Остальное ждало бы вас."}`;
}

const CHANGES: Record<TwinExam["changed"][number], string> = {
  model: "отвечает другая модель",
  documents: "документы сильно изменились",
  letters: "переписки стало намного больше",
};

/** Returns null when nothing speaks for another exam. */
export const changedText = (changed: TwinExam["changed"]): string | null =>
  changed.length === 0
    ? null
    : `С того экзамена ${changed.map((one) => CHANGES[one]).join(", ")}: новый сказал бы больше.`;
