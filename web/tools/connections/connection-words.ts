import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

export const connectionStates: Record<ToolConnection["state"], { name: string; tone: "success" | "info" | "danger" }> =
  {
    ready: { name: "Подключено", tone: "success" },
    "sign-in": { name: "Нужно войти", tone: "info" },
    broken: { name: "Не работает", tone: "danger" },
  };

/** What the server calls itself, without the version that follows. */
export const serverName = (title: string): string => title.replace(/ v?\d[\w.+-]*$/i, "") || title;

/** «На сервере 11 действий, список прочитан 5 минут назад». */
export function offersText(connection: ToolConnection): string {
  const { checkedAt } = connection;
  if (connection.kind === "caldav") return `Календари: ${connection.calendars.map(({ title }) => title).join(", ")}`;
  const { offers } = connection;
  if (checkedAt === null) return "Список действий ещё не\u00a0прочитан";
  return `На\u00a0сервере ${plural(offers.length, ["действие", "действия", "действий"])}, список прочитан ${formatRecent(checkedAt)}`;
}

/** What stops with the connection. */
export function removalText({ tools }: ToolConnection): string {
  const names = tools.map(({ title }) => `«${title}»`).join(", ");
  return tools.length === 0
    ? "Ключи удалятся. Действий через это подключение у двойника нет."
    : `Ключи удалятся, и вместе с ними ${plural(tools.length, ["действие", "действия", "действий"])}: ${names}. Что уже сделано, останется в журнале.`;
}
