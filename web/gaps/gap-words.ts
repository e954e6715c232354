import type { Gap, GapQuestion, Readiness } from "#contract/gaps.ts";
import { READINESS_FROM } from "#contract/gaps.ts";
import { type Forms, plural, pluralForm } from "#web/i18n/plural.ts";

const PEOPLE: Forms = ["человек", "человека", "человек"];
const TO_PEOPLE: Forms = ["человеку", "людям", "людям"];
const QUESTIONS: Forms = ["вопрос", "вопроса", "вопросов"];

/** «Спросили 3 человека, 5 раз»; null when one person asked once, or only the owner did. */
export function askedCountText({ people, times }: Pick<Gap, "people" | "times">): string | null {
  if (people === 0 || (people === 1 && times === 1)) return null;
  const who = `${pluralForm(people, ["Спросил", "Спросили", "Спросили"])} ${plural(people, PEOPLE)}`;
  return times > people ? `${who}, ${plural(times, ["раз", "раза", "раз"])}` : who;
}

export function notifiedCountText(questions: readonly Pick<GapQuestion, "told">[]): string | null {
  const count = (told: GapQuestion["told"]) => questions.filter((one) => one.told === told).length;
  const [sent, draft, byHand, unreachable] = [count("sent"), count("draft"), count("by_hand"), count("unreachable")];
  const parts = [
    sent > 0 ? `отправлен ${plural(sent, TO_PEOPLE)}` : "",
    draft > 0 ? `${plural(draft, ["ждёт", "ждут", "ждут"])} вашего одобрения` : "",
    byHand > 0 ? `${plural(byHand, TO_PEOPLE)} вы ответили сами` : "",
    unreachable > 0 ? `${plural(unreachable, TO_PEOPLE)} написать уже нельзя` : "",
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const said = parts.join(", ");
  return sent > 0 ? `Ответ ${said}` : `${said[0]!.toUpperCase()}${said.slice(1)}`;
}

/**
 * Says whether the answer works for all wordings of the question; null until the twin was asked each of them again. The owner's test
 * chat does not count when the answer goes only to certain contacts.
 */
export function answerCheckText({
  questions,
  answer,
}: Pick<Gap, "questions" | "answer">): { known: boolean; text: string } | null {
  const meant = questions.filter(({ platform }) => answer?.scope !== "contact" || platform !== "test");
  if (meant.length === 0 || meant.some(({ answered }) => answered === null)) return null;
  const known = meant.filter(({ answered }) => answered).length;
  if (known < meant.length)
    return { known: false, text: `Двойник отвечает на ${known} из ${plural(meant.length, QUESTIONS)}` };
  return { known: true, text: known === 1 ? "Теперь двойник отвечает" : `Теперь двойник отвечает на все ${known}` };
}

/** Says what is still being done about an answered gap; null when nothing is. */
export function gapProgressText({ questions, answer, answeredBy }: Gap, working: boolean): string | null {
  if (!working || answeredBy !== "owner") return null;
  if (questions.every(({ told }) => told === null)) return "Сообщаем тем, кто спрашивал…";
  return answerCheckText({ questions, answer }) === null ? "Проверяем, отвечает ли двойник…" : null;
}

/** Readiness in percent; null while there are too few questions. */
export const readyPercent = ({ questions, now }: Readiness): number | null =>
  questions < READINESS_FROM ? null : Math.round((100 * now) / questions);

export function readinessInWords({ questions, atFirst, now }: Readiness): string {
  if (questions < READINESS_FROM) {
    return questions === 0
      ? `Пока мало вопросов: долю покажем, когда их наберётся ${READINESS_FROM}.`
      : `Пока мало вопросов: ${questions} из ${READINESS_FROM}, чтобы посчитать долю.`;
  }
  const learnt = now - atFirst;
  const all = `Двойник отвечает на ${now} из ${plural(questions, ["разного вопроса", "разных вопросов", "разных вопросов"])} за 30 дней`;
  return learnt > 0 ? `${all}: на ${atFirst} ответил сразу, на ${learnt}\u00a0— после обучения.` : `${all}.`;
}
