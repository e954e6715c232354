/** How the form of a tool speaks of one kind: examples of an order stand nowhere but at orders. */
import type { ToolKindName } from "#contract/actions/tool-settings.ts";

/** What a tool of a CRM is called until its owner says otherwise. */
export const crmWords = {
  deal: {
    title: "Состояние сделки",
    description: "Узнать, на каком этапе сделка",
    examples: ["Что со сделкой 1042?", "На каком этапе сделка 1042?", ""],
  },
  note: {
    title: "Заметка менеджеру",
    description: "Передать менеджеру то, что просит собеседник",
    examples: ["Передайте менеджеру, что я опоздаю", "", ""],
  },
};

/** What a tool of a calendar is called until its owner says otherwise. */
export const calendarWords = {
  free: {
    title: "Свободное время",
    description: "Узнать, когда можно прийти",
    examples: ["Когда можно прийти?", "Есть свободное время?", ""],
  },
  book: {
    title: "Запись",
    description: "Записать на свободное время",
    examples: ["Запишите меня на завтра на 15:00", "", ""],
  },
};

interface FormWords {
  /** A name that fits, in quotation marks of the hint. */
  title: string;
  purpose: string;
  /** Messages that ask for it, shown where none was typed. */
  examples: readonly [string, string, string];
  /** That others learn nothing of it. */
  secret: string;
  /** What results are for everybody. */
  everybody: string;
  /** Where a phone and an answer of the asker are looked up. */
  phone: string;
  source: string;
  chooseSource: string;
}

const SAME = "неверный ответ и несуществующий номер звучат для собеседника одинаково";
const ORDERS = {
  title: "Статус заказа",
  purpose: "Узнать, где заказ и когда его привезут",
  examples: ["Где мой заказ 1042?", "Когда привезут заказ 1042?", "Что с заказом 1042?"],
  secret: `Чужой заказ не узнает никто: ${SAME}`,
} as const;
const IN_ANSWER = {
  everybody: "Остатки, цены, свободное время: подтверждать нечего.",
  phone: "Телефон собеседника в ответе",
  source: "Где это в\u00a0ответе",
  chooseSource: "Выберите значение",
} as const;
const IN_TABLE = {
  everybody: "Остатки, цены, расписание: подтверждать нечего.",
  phone: "Столбец с телефоном собеседника",
  source: "Столбец",
  chooseSource: "Выберите столбец",
} as const;

const FORM_WORDS: Record<ToolKindName, FormWords> = {
  table: { ...ORDERS, ...IN_TABLE },
  http: { ...ORDERS, ...IN_ANSWER },
  mcp: { ...ORDERS, ...IN_ANSWER },
  question: {
    title: "Наличие товара",
    purpose: "Узнать у владельца, есть ли товар",
    secret: "",
    examples: ["Есть ли у вас латте на овсяном?", "А круассаны ещё остались?", "Можно прийти с собакой?"],
    ...IN_TABLE,
  },
  crm: {
    title: "Состояние сделки",
    purpose: "Узнать, на каком этапе сделка",
    examples: ["Что со сделкой 1042?", "На каком этапе сделка 1042?", "Когда будет готов договор?"],
    secret: `О чужой сделке не узнает никто: ${SAME}`,
    everybody: "Подтверждать нечего: о сделке узнает каждый, кто назовёт её номер.",
    phone: "Телефон собеседника в сделке",
    source: "Что сверить",
    chooseSource: "Выберите, что сверить",
  },
  calendar: {
    title: "Свободное время",
    purpose: "Узнать, когда можно прийти",
    secret: "",
    examples: ["Когда можно прийти?", "Есть время в пятницу?", "Запишите меня на завтра на 15:00"],
    ...IN_TABLE,
  },
};

const BOOKING = {
  title: calendarWords.book.title,
  purpose: calendarWords.book.description,
  examples: ["Запишите меня на завтра на 15:00", "Хочу записаться на пятницу", "Можно прийти в субботу в 12:00?"],
} as const;
const NOTE = {
  title: crmWords.note.title,
  purpose: crmWords.note.description,
  examples: [
    "Передайте менеджеру, что я опоздаю",
    "Попросите менеджера перезвонить",
    "Скажите менеджеру, что я согласен",
  ],
} as const;

/** @param changes whether a call changes something, as a booking does */
export const formWordsOf = (kind: ToolKindName, changes: boolean): FormWords => ({
  ...FORM_WORDS[kind],
  ...(changes && (kind === "crm" ? NOTE : BOOKING)),
});
