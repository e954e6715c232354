import { CalendarDays, Contact, type LucideIcon, MessageCircleQuestion, PlugZap, Table, Zap } from "lucide-react";
import type { ShownSettings } from "#contract/actions/tool-settings.ts";
import { plural } from "#web/i18n/plural.ts";
import { serverName } from "./connections/connection-words.ts";
import { withWords } from "./form/named-fields.ts";

type Kind = ShownSettings["kind"];

/** How the list of tools speaks of one kind. */
interface KindWords<Name extends Kind> {
  icon: LucideIcon;
  /** On the row that begins one, and what it is good for. */
  firstStart: string;
  about: string;
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
    firstStart: "Таблица заказов",
    about: "Двойник находит в файле или по адресу одну строку и говорит, где заказ. Чужой заказ не узнает никто",
    placeOf: ({ table: { name, rows } }) => `Таблица ${name}, ${plural(rows, ["строка", "строки", "строк"])}`,
    failureOf: ({ table: { failure } }) =>
      failure && `Таблица не\u00a0читается: ${failure}. Двойник отвечает по\u00a0прежней.`,
    removal: "Двойник больше не сможет на это ответить, таблица удалится. Что уже сделано, останется в журнале.",
  },
  http: {
    icon: Zap,
    firstStart: "Запрос к\u00a0вашей системе",
    about: "Один адрес вашего сайта или программы: узнать остаток, создать запись, отменить заказ",
    placeOf: ({ method, url }) => `${method} ${/^https?:\/\/([^/?]+)/i.exec(url)?.[1] ?? url}`,
    failureOf: () => null,
    removal: "Двойник больше не сможет это вызвать, ключи удалятся. Что уже сделано, останется в журнале.",
  },
  mcp: {
    icon: PlugZap,
    firstStart: "Сервер MCP",
    about: "Действия программы, которая говорит по протоколу MCP: двойник умеет только то, что вы в ней выберете",
    placeOf: ({ connection: { title }, name }) => `${serverName(title)}, ${name}`,
    failureOf: ({ connection: { failure } }) => failure,
    removal:
      "Двойник больше не сможет это вызвать, подключение к серверу останется. Что уже сделано, останется в журнале.",
  },
  question: {
    icon: MessageCircleQuestion,
    firstStart: "Вопрос к\u00a0вам",
    about: "Чего нет ни в одной системе: двойник спросит вас карточкой или в мессенджере и передаст ваш ответ",
    // Braces are how it is typed, not how it is read.
    placeOf: ({ question, fields }) => withWords(question, fields).replace(/\{([^{}]*)\}/g, "($1)"),
    failureOf: () => null,
    removal: "Двойник больше не будет вас об этом спрашивать. Что уже сделано, останется в журнале.",
  },
  crm: {
    icon: Contact,
    firstStart: "amoCRM или Битрикс24",
    about: "На каком этапе сделка собеседника, или заметка в ней, через CRM, которая уже подключена",
    placeOf: ({ system, host }) => `${system}, ${host}`,
    failureOf: () => null,
    removal: "Двойник больше не сможет обращаться к CRM. Что уже сделано, останется в журнале.",
  },
  calendar: {
    icon: CalendarDays,
    firstStart: "Календарь",
    about: "Свободное время из календаря Яндекса, Mail.ru, iCloud или другого и запись на него с вашего согласия",
    placeOf: ({ calendar, host }) => `Календарь «${calendar}», ${host}`,
    failureOf: () => null,
    removal: "Двойник больше не сможет смотреть в календарь и записывать. Что уже сделано, останется в журнале.",
  },
};

/** In the order in which they are offered: what its owner sets up himself, and what needs a programmer. */
export const SIMPLE_KINDS: readonly Kind[] = ["table", "calendar", "question", "crm"];
export const PROGRAMMER_KINDS: readonly Kind[] = ["http", "mcp"];
export const TOOL_KINDS: readonly Kind[] = [...SIMPLE_KINDS, ...PROGRAMMER_KINDS];

/** The words of the kind; they take settings of that kind only. */
export const wordsOf = (kind: Kind): KindWords<Kind> => WORDS[kind] as KindWords<Kind>;
