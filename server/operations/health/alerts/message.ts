import type { Health, HealthFactId } from "#contract/health.ts";
import { ALL_SERVERS, type DueAlert, stateOf } from "./problems.ts";

export interface AlertMessage {
  /** The subject of the letter, one line. */
  subject: string;
  /** Plain text without personal data: states, counts, the server's name and address. */
  text: string;
}

const ADVICE: Record<HealthFactId, string> = {
  database:
    "Проверьте, работает ли база и есть ли с ней связь; причина записана в журнале сервера. Пока база не отвечает, страница «Состояние» может не открыться. Если на её диске нет места, освободите его: новое до тех пор не принимается, потом всё продолжится само.",
  disk: "Освободите место на диске с данными или увеличьте его. Когда места почти нет, не принимаются загрузки, потом и всё новое; как только место появится, всё продолжится само.",
  backup:
    "Причина названа на странице «Состояние». Проверьте папку копий и место в ней; сделать копию сейчас: npm run backup.",
  letters:
    "Проверьте почтовый сервер из настройки SMTP_URL и связь с ним; причина записана в журнале. После исправления настройки перезапустите сервер.",
  queues:
    "Посмотрите на странице «Состояние», какие задания ждут, и в журнале, почему. Если они стоят, перезапустите сервер.",
  channels:
    "Если таких каналов много, проверьте связь сервера с платформами. Причину для отдельного канала видит его владелец в разделе «Интеграции».",
  model: "Проверьте сервер модели или её файл: раздел «Модель» и журнал сервера.",
  process: "Серверу не хватает процессора или памяти. Посмотрите, что их занимает, или добавьте их.",
  errors: "Найдите ошибки в журнале сервера: в строке есть причина и номер обращения.",
  server:
    "Проверьте на странице «Состояние», каких процессов не хватает, и запустите их; почему они остановились, сказано в их журнале.",
};

const NOW_WORDS = { failure: "Сбой", attention: "Внимание" };
const wordOf = ({ problem, occasion }: DueAlert): string =>
  occasion === "fixed"
    ? "Исправлено"
    : occasion === "again"
      ? `Всё ещё ${NOW_WORDS[stateOf(problem)].toLowerCase()}`
      : NOW_WORDS[stateOf(problem)];

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const written = new Intl.DateTimeFormat("ru-RU", {
  ...{ day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit" },
  timeZone: "Europe/Moscow",
});

const ORDER = ["Сбой", "Всё ещё сбой", "Внимание", "Всё ещё внимание", "Исправлено"];

/** @param health the present report, which has each fact's title and summary */
export function alertMessage(due: readonly DueAlert[], health: Health, publicUrl: string): AlertMessage {
  const factOf = (id: HealthFactId) => health.facts.find((fact) => fact.id === id)!;
  const sorted = due.toSorted((one, other) => ORDER.indexOf(wordOf(one)) - ORDER.indexOf(wordOf(other)));
  const first = wordOf(sorted[0]!);
  const named = sorted.filter((each) => wordOf(each) === first).map(({ problem }) => factOf(problem.id).title);
  const parts = sorted.map((each) => {
    const { server, id, since } = each.problem;
    const { title, summary } = factOf(id);
    return [
      `${wordOf(each)}. ${title}: ${lowered(summary)}.`,
      `${server === ALL_SERVERS ? "" : `Сервер ${server}. `}Замечено ${written.format(since)} по московскому времени.`,
      ...(each.occasion === "fixed" ? [] : [ADVICE[id]]),
    ].join("\n");
  });
  return {
    subject: `${first}: ${named.map(lowered).join(", ")}`,
    text: ["Платформа «Цифровые двойники»", ...parts, `Состояние: ${publicUrl}/platform-health`].join("\n\n"),
  };
}

export const testMessage = (publicUrl: string): AlertMessage => ({
  subject: "Проверка уведомлений",
  text: [
    "Платформа «Цифровые двойники»",
    "Это проверка: уведомления о сбоях сервера приходят сюда.",
    `Состояние: ${publicUrl}/platform-health`,
  ].join("\n\n"),
});
