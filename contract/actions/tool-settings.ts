/** What a tool of each kind is made of: what its owner enters, and what he is shown of it (docs/decisions/048-tools-and-acts.md). */
import * as z from "zod/mini";
import { ProxyText } from "../integrations/proxy-text.ts";
import { CalendarInput, ShownCalendar } from "./calendar-settings.ts";
import { CrmInput, ShownCrm } from "./crm-settings.ts";

export const TOOL_FIELDS_LIMIT = 12;
/** Bytes of an uploaded table; a larger one does not fit into a request. */
export const TABLE_BYTES_LIMIT = 700_000;
export const TABLE_ROWS_LIMIT = 20_000;
export const TABLE_COLUMNS_LIMIT = 40;
/** Minutes after which a table from an address is read again before it is used. */
export const TABLE_FRESH_MINUTES = 10;
/** Milliseconds until a system must have answered, and bytes of its answer that are read. */
export const TOOL_TIMEOUT_MS = 10_000;
export const TOOL_ANSWER_BYTES = 64 * 1024;

export const text = (missing: string, longest: number) =>
  z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(longest, `Длиннее ${longest} символов`));
export const optionalText = (longest: number) =>
  z.string("Ожидался текст").check(z.trim(), z.maxLength(longest, `Длиннее ${longest} символов`));
export const bool = z.boolean("Ожидалось true или false");

export const ToolFieldType = z.enum(
  ["text", "number", "phone", "email", "date", "time", "choice"],
  "Неизвестный тип поля",
);
export type ToolFieldType = z.infer<typeof ToolFieldType>;

export const ToolField = z
  .object({
    /** The name in the address and in the request: «order_id». */
    name: z
      .string("Введите имя поля")
      .check(z.regex(/^[a-z][a-z0-9_]{0,39}$/i, "Имя поля: латинские буквы, цифры и _")),
    /** What people read: «Номер заказа». */
    label: text("Введите название поля", 60),
    type: ToolFieldType,
    required: bool,
    description: optionalText(200),
    /** The values of a `choice`; empty for other types. */
    choices: z.array(text("Введите значение", 60)).check(z.maxLength(30, "Не больше 30 значений")),
  })
  .check(
    z.refine(({ type, choices }) => type !== "choice" || choices.length > 0, {
      error: "Перечислите значения",
      path: ["choices"],
    }),
  );
export type ToolField = z.infer<typeof ToolField>;

/** A place in a JSON answer: keys and indexes joined by dots, «order.items.0.name». */
const Place = z
  .string("Введите путь")
  .check(z.trim(), z.regex(/^[^\s.]{1,60}(?:\.[^\s.]{1,60}){0,7}$/u, "Путь вида order.status"));

export const HttpAddress = z
  .string("Введите адрес")
  .check(
    z.trim(),
    z.maxLength(1000, "Слишком длинный адрес"),
    z.regex(/^https?:\/\/[^\s/?#@{}]+(?:[/?][^\s#]*)?$/i, "Адрес вида https://example.ru/orders/{order_id}"),
  );

export const HttpMethod = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"], "Выберите метод");

export const HeaderName = z
  .string("Введите имя заголовка")
  .check(z.trim(), z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}$/, "Имя заголовка вида Authorization"));

/** Where the result stands in the JSON answer; "": all of it. */
const ResultPath = z.union([z.literal(""), Place]);
/** What the customer learns of the result, in this order. A read that is on has at least one place, or `reportsAll`. */
const ShownPlaces = z
  .array(z.object({ path: Place, label: text("Введите название", 60) }))
  .check(z.maxLength(30, "Не больше 30 полей результата"));

/** Its owner's word that the customer learns all of the result, by the names of the system. */
const ReportsAll = z.optional(bool);

/** A call over HTTP. Fields that the address does not name are sent as query (GET, DELETE) or as JSON. */
const HttpSettings = {
  kind: z.literal("http"),
  method: HttpMethod,
  /** Fields stand in braces, after the host only: https://example.ru/orders/{order_id}. */
  url: HttpAddress,
  fields: z.array(ToolField).check(z.maxLength(TOOL_FIELDS_LIMIT, `Не больше ${TOOL_FIELDS_LIMIT} полей`)),
  resultPath: ResultPath,
  shown: ShownPlaces,
  reportsAll: ReportsAll,
  /** Whether the system does a repeated call once, so that a failed one may be tried again. */
  idempotent: bool,
  /** Its owner's word that a POST only reads, as a search does; nothing else makes another method than GET a read. */
  readsOnly: z.optional(bool),
};

/** A row of a table, found by its key. */
const TableSettings = {
  kind: z.literal("table"),
  /** Of `POST /api/tools/tables`. */
  tableId: z.uuid("Загрузите таблицу"),
  keyColumn: text("Выберите столбец с номером", 100),
  /** Columns that the asker learns, in this order. */
  shown: z
    .array(text("Выберите столбец", 100))
    .check(z.minLength(1, "Выберите, что сообщать"), z.maxLength(TABLE_COLUMNS_LIMIT, "Слишком много столбцов")),
};

export const HeaderValue = z
  .string("Ожидался текст")
  .check(
    z.minLength(1, "Введите значение"),
    z.maxLength(2000, "Слишком длинное значение"),
    z.regex(/^[\t -~]*$/, "Только латинские знаки"),
  );

/** Whether its owner has skipped its value so far: such a tool is off. */
const missing = z.optional(z.literal(true));

/** A header's value is written and never read; absent: the stored one stays, or it is `missing`. */
const HeaderInput = z.object({ name: HeaderName, value: z.optional(HeaderValue), missing });

/** Of a request to an owner's address. Written and never read: absent leaves the stored one, "" removes it. */
export const ProxyInput = z.optional(ProxyText);
/** «SOCKS5 proxy.example.com:1080», without name and password; null: requests go directly. */
export const ShownProxy = z.nullable(z.string());

const HttpInput = z.object({
  ...HttpSettings,
  proxy: ProxyInput,
  headers: z.array(HeaderInput).check(z.maxLength(10, "Не больше 10 заголовков")),
});
const TableInput = z.object(TableSettings);

export const ToolTable = z.object({
  id: z.string(),
  /** File name, or the address's host. */
  name: z.string(),
  /** null: it was uploaded. */
  url: z.nullable(z.string()),
  proxy: ShownProxy,
  columns: z.array(z.string()),
  rows: z.number(),
  /** The first rows, for the choice of columns; empty beside a saved tool. */
  sample: z.array(z.array(z.string())),
  readAt: z.string(),
  /** Why the address could not be read last, as a Russian sentence; null: it was. */
  failure: z.nullable(z.string()),
});
export type ToolTable = z.infer<typeof ToolTable>;

/** An action of an MCP server that the owner has chosen. Fields are those that the server names; their labels are the owner's. */
const McpSettings = {
  kind: z.literal("mcp"),
  connectionId: z.uuid("Выберите подключение"),
  /** The server's own name of the action. */
  name: text("Выберите действие сервера", 128),
  fields: z.array(ToolField).check(z.maxLength(TOOL_FIELDS_LIMIT, `Не больше ${TOOL_FIELDS_LIMIT} полей`)),
  resultPath: ResultPath,
  shown: ShownPlaces,
  reportsAll: ReportsAll,
};
const McpInput = z.object(McpSettings);

/** A question that a person answers: it is formed of the fields, and nothing is called. */
const QuestionSettings = z.object({
  kind: z.literal("question"),
  /** Fields stand in braces: «Есть ли {item} на {date}?». */
  question: text("Введите вопрос", 300),
  fields: z.array(ToolField).check(z.maxLength(TOOL_FIELDS_LIMIT, `Не больше ${TOOL_FIELDS_LIMIT} полей`)),
});

/** What the owner enters. */
export const SettingsInput = z.discriminatedUnion(
  "kind",
  [HttpInput, TableInput, McpInput, CalendarInput, CrmInput, QuestionSettings],
  "Неизвестный вид действия",
);
export type SettingsInput = z.infer<typeof SettingsInput>;
export type ToolKindName = SettingsInput["kind"];

/** Kinds whose calls never change anything. */
export const READING_KINDS: readonly ToolKindName[] = ["table", "question"];

/**
 * Why a call that is said to read may change something, as a Russian sentence; null: it is a read, or is said to change. What was stored
 * before this was asked may be such a call: it is not made until its owner has answered.
 */
export function unclearChange(settings: { kind: string }, changes: boolean): string | null {
  if (changes || !isHttp(settings) || settings.method === "GET") return null;
  if (settings.method !== "POST") return `${settings.method} всегда что-то меняет: отметьте «Вызов что-то меняет»`;
  return settings.readsOnly === true ? null : "Отметьте, что вызов что-то меняет или что он только читает";
}

/** Whether the customer would learn a system's whole answer, because nobody has chosen a part of it. */
export const tellsUnchosen = (settings: Told): boolean =>
  (settings.kind === "http" || settings.kind === "mcp") && settings.shown?.length === 0 && settings.reportsAll !== true;

interface Told {
  kind: ToolKindName;
  shown?: readonly unknown[];
  reportsAll?: boolean | undefined;
}

type Http = Pick<z.infer<typeof HttpInput>, "kind" | "method" | "readsOnly">;
const isHttp = (settings: { kind: string }): settings is Http => settings.kind === "http";

/** The account through which a tool is called, beside the tool. */
const ConnectionState = z.object({ title: z.string(), failure: z.nullable(z.string()) });

/** What the owner is shown of the settings: no secrets, and what the server knows besides. */
export const ShownSettings = z.discriminatedUnion("kind", [
  z.object({ ...HttpSettings, headers: z.array(z.object({ name: z.string(), missing })), proxy: ShownProxy }),
  z.object({ ...TableSettings, table: ToolTable }),
  ShownCalendar,
  ShownCrm,
  QuestionSettings,
  z.object({ ...McpSettings, host: z.string(), connection: ConnectionState }),
]);
export type ShownSettings = z.infer<typeof ShownSettings>;
