import { type LucideIcon, PlugZap, Table, Zap } from "lucide-react";
import type { ShownSettings } from "#contract/actions/tool-settings.ts";
import { plural } from "#web/i18n/plural.ts";

type Kind = ShownSettings["kind"];

/** How the list of tools speaks of one kind. */
interface KindWords<Name extends Kind> {
  icon: LucideIcon;
  /** On the button that begins another one, and on that of the empty list. */
  start: string;
  firstStart: string;
  /** Where a tool looks. */
  placeOf: (settings: Extract<ShownSettings, { kind: Name }>) => string;
  /** What does not work at present, as sentences; null: nothing. */
  failureOf: (settings: Extract<ShownSettings, { kind: Name }>) => string | null;
  /** What its deletion removes. */
  removal: string;
}

const WORDS: { [Name in Kind]: KindWords<Name> } = {
  table: {
    icon: Table,
    start: "Таблица",
    firstStart: "Таблица заказов",
    placeOf: ({ table: { name, rows } }) => `Таблица ${name}, ${plural(rows, ["строка", "строки", "строк"])}`,
    failureOf: ({ table: { failure } }) =>
      failure && `Таблица не\u00a0читается: ${failure}. Двойник отвечает по\u00a0прежней.`,
    removal: "Двойник больше не сможет на это ответить, таблица удалится. Что уже сделано, останется в журнале.",
  },
  http: {
    icon: Zap,
    start: "Запрос к\u00a0системе",
    firstStart: "Запрос к\u00a0вашей системе",
    placeOf: ({ method, url }) => `${method} ${/^https?:\/\/([^/?]+)/i.exec(url)?.[1] ?? url}`,
    failureOf: () => null,
    removal: "Двойник больше не сможет это вызвать, ключи удалятся. Что уже сделано, останется в журнале.",
  },
  mcp: {
    icon: PlugZap,
    start: "Сервер MCP",
    firstStart: "Сервер MCP",
    placeOf: ({ connection: { title }, name }) => `${title}, ${name}`,
    failureOf: ({ connection: { failure } }) => failure,
    removal:
      "Двойник больше не сможет это вызвать, подключение к серверу останется. Что уже сделано, останется в журнале.",
  },
};

/** In the order in which they are offered. */
export const TOOL_KINDS = Object.keys(WORDS) as Kind[];

/** The words of the kind; they take settings of that kind only. */
export const wordsOf = (kind: Kind): KindWords<Kind> => WORDS[kind] as KindWords<Kind>;
