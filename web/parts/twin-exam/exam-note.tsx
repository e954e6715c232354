import { Link } from "wouter";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { paths } from "#web/paths.ts";
import { acceptedText, changedText, sendsText } from "./exam-words.ts";
import { useTwinExam } from "./queries.ts";

/** Beside the levels of a channel: what the twin's exam says of them, or that there was none. */
export default function ExamNote({ twinId, autonomy }: { twinId: string; autonomy: Autonomy }) {
  const exam = useTwinExam(twinId).data;
  if (exam === undefined) return null;
  const { last, current, material, changed } = exam;
  const canBeTaken = material.documents + material.letters > 0;
  const link = (text: string) => (
    <Link href={paths.twinExam(twinId)} className="font-medium text-primary-text underline">
      {text}
    </Link>
  );
  if (last !== null)
    return (
      <p className="px-3 pt-2 text-md text-muted">
        Экзамен: {acceptedText(last.result)} {sendsText(last.result)} {changedText(changed)} {link("Экзамен двойника")}
      </p>
    );
  if (!canBeTaken) return null;
  const sends = autonomy === "confident" || autonomy === "auto";
  return (
    <p className={`px-3 pt-2 text-md ${sends ? "text-warning-text" : "text-muted"}`}>
      {sends
        ? "Двойник уже отвечает сам, а экзамена ещё не было: что он отправит, пока не проверено вами."
        : "До первого ответа без вас проведите экзамен: пять минут «да» и «нет», и видно, что двойник отправит сам."}{" "}
      {link(current === null ? "Провести экзамен" : "Продолжить экзамен")}
    </p>
  );
}
