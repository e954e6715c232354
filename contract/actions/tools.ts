/** Tools: calls to the owner's own systems that a twin may make or propose (docs/decisions/048-tools-and-acts.md). */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";
import { ToolCall } from "./tool-call.ts";
import {
  bool,
  HttpAddress,
  optionalText,
  ProxyInput,
  READING_KINDS,
  SettingsInput,
  ShownSettings,
  TABLE_BYTES_LIMIT,
  TOOL_FIELDS_LIMIT,
  ToolTable,
  tellsUnchosen,
  text,
  unclearChange,
} from "./tool-settings.ts";

export const TOOLS_LIMIT = 20;
export const TOOL_EXAMPLES_LIMIT = 5;

/** `itself`: the twin calls it without asking, reads only; `asks`: each call waits for the owner; `never`: it is not offered to the twin. */
export const ToolDegree = z.enum(["itself", "asks", "never"], "Выберите, как вызывать");
export type ToolDegree = z.infer<typeof ToolDegree>;

/** exact: the same text; last4: the last four digits; phone: the same phone number in any form. */
export const ProofCompare = z.enum(["exact", "last4", "phone"], "Выберите, как сверять");

/**
 * What proves that a row concerns the asker. Code compares it, never a model. `source` is a column of the table or a place in the answer,
 * read from the result.
 */
export const ToolProof = z.object({
  /** Whether the result is for everybody (stock, free hours), so that nothing is to be proven. */
  everybody: bool,
  /** Where the result has the customer's phone, which is compared with the channel's (WhatsApp); null: it is not. */
  channelPhone: z.nullable(text("Выберите, с чем сверить", 200)),
  /** What the asker must name where the channel's phone does not prove it; all of it must agree. */
  asked: z
    .array(
      z.object({
        label: text("Введите, что спросить", 60),
        source: text("Выберите, с чем сверить", 200),
        compare: ProofCompare,
      }),
    )
    .check(z.maxLength(3, "Не больше трёх вопросов")),
});
export type ToolProof = z.infer<typeof ToolProof>;

const common = {
  title: text("Введите название", 80),
  /** What it is good for, in the owner's words. A model reads it as data. */
  description: optionalText(500),
  enabled: bool,
  degree: ToolDegree,
  /** Whether a call changes anything; a table never does. What changes waits for the customer and then for the owner. */
  changes: bool,
  proof: ToolProof,
  /** Messages that ask for this tool, with a number in them: «где мой заказ 41915». Without a model they are what the twin recognises. */
  examples: z
    .array(text("Введите пример", 200))
    .check(z.maxLength(TOOL_EXAMPLES_LIMIT, `Не больше ${TOOL_EXAMPLES_LIMIT} примеров`)),
};

/** Methods that may only read. */
const READING_METHODS: readonly string[] = ["GET", "POST"];

export const ToolInput = z.object({ ...common, settings: SettingsInput }).check((payload) => {
  const { degree, changes, enabled, proof, settings } = payload.value;
  const refuse = (message: string, ...path: string[]) =>
    payload.issues.push({ code: "custom", message, path, input: payload.value });
  if (changes && degree === "itself") refuse("То, что меняет данные, двойник не вызывает без вас", "degree");
  if (changes && READING_KINDS.includes(settings.kind)) refuse("Такое действие только читает", "changes");
  if (enabled && settings.kind === "http")
    for (const [at, header] of settings.headers.entries())
      if (header.missing) refuse("Введите значение", "settings", "headers", String(at), "value");
  const unclear = unclearChange(settings, changes);
  if (unclear !== null)
    refuse(
      unclear,
      ...(settings.kind === "http" && settings.method === "POST" ? ["settings", "readsOnly"] : ["changes"]),
    );
  if (
    settings.kind === "http" &&
    settings.readsOnly === true &&
    (changes || !READING_METHODS.includes(settings.method))
  )
    refuse("Вызов или только читает, или что-то меняет", "settings", "readsOnly");
  if (settings.kind === "question" && degree === "itself") refuse("На вопрос отвечаете вы", "degree");
  if (settings.kind === "calendar" && changes !== (settings.does === "book"))
    refuse("Запись меняет календарь, а свободное время только читается", "changes");
  if (settings.kind === "crm") {
    if (changes !== (settings.does === "note")) refuse("Заметка меняет CRM, а сделка только читается", "changes");
    // An asker who names a phone to be looked up has not proven that it is his.
    if (settings.key === "phone" && proof.asked.some(({ source }) => source === "phone"))
      refuse("Телефон собеседник уже назвал: спросите другое", "proof");
  }
  if (enabled && !changes && tellsUnchosen(settings))
    refuse("Выберите в ответе, что сообщать, или отметьте «Сообщать всё»", "settings", "shown");
  // One that is off may be unfinished, as those of an imported description are.
  if (enabled && !changes && !proof.everybody && proof.channelPhone === null && proof.asked.length === 0)
    refuse("Укажите, чем собеседник подтверждает, что это о нём, или что результат для всех", "proof");
});
export type ToolInput = z.infer<typeof ToolInput>;

export const NewTool = z.object({ twinId: z.uuid("Выберите цифрового двойника"), tool: ToolInput });
export type NewTool = z.infer<typeof NewTool>;

export const Tool = z.object({
  id: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  ...common,
  settings: ShownSettings,
  /** Why the server has switched it off, as a Russian sentence; null: it has not. */
  offReason: z.nullable(z.string()),
  /** What is recognised without a model: the examples with the fields in their places, «где мой заказ [Номер заказа]». */
  forms: z.array(z.string()),
  /**
   * Why nothing calls it without a model, while there is none; null: its examples do, or a model. `fields`: it needs more than an example can
   * hold; `examples`: no example of it is recognised.
   */
  needsModel: z.nullable(z.enum(["fields", "examples"])),
  /** The first of its examples that calls it at present; null: none does. */
  example: z.nullable(z.string()),
  /**
   * Its examples that call nothing while there is no model, because other tools of the twin, by their titles, are asked for with the same
   * words.
   */
  taken: z.array(z.object({ example: z.string(), by: z.array(z.string()) })),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Tool = z.infer<typeof Tool>;

/** An uploaded CSV or xlsx file, or an address of a CSV that is read again; exactly one of `content` and `url`. */
export const TableInputFile = z
  .object({
    twinId: z.uuid("Выберите цифрового двойника"),
    name: z.optional(text("Введите имя файла", 200)),
    /** Base64. */
    content: z.optional(
      // `z.base64` would be 0.5 KB of each screen's first load.
      z
        .string("Файл не прочитан")
        .check(
          z.regex(/^[A-Za-z\d+/]*={0,2}$/, "Файл не прочитан"),
          z.maxLength(Math.ceil((TABLE_BYTES_LIMIT * 4) / 3) + 4, "Файл больше 700 КБ"),
        ),
    ),
    url: z.optional(HttpAddress),
    proxy: ProxyInput,
    /** The table that it replaces, whose proxy stays where `proxy` is absent. */
    formerId: z.optional(z.uuid("Неверная таблица")),
  })
  .check(
    z.refine(({ name, content, url }) => (url === undefined) !== (content === undefined || name === undefined), {
      error: "Выберите файл или введите адрес",
      path: ["content"],
    }),
  );
export type TableInputFile = z.infer<typeof TableInputFile>;

export const TrialInput = z.object({
  /** By the names of the fields; a table's key is `key`, what is asked as a proof `proof1`, `proof2`, `proof3`. */
  arguments: z
    .array(
      z.object({
        name: z.string().check(z.maxLength(40)),
        value: z.string("Введите значение").check(z.maxLength(500, "Слишком длинное значение")),
      }),
    )
    .check(z.maxLength(TOOL_FIELDS_LIMIT + 4, "Слишком много полей")),
  /** Calls what changes data; otherwise such a tool only shows what it would send. */
  really: z.optional(bool),
});
export type TrialInput = z.infer<typeof TrialInput>;

export const ToolTrial = z.object({
  call: ToolCall,
  /** What was or would be sent, without the secrets of headers; null for a table. */
  request: z.nullable(z.object({ method: z.string(), url: z.string(), body: z.nullable(z.string()) })),
  /** HTTP status; null where nothing was sent or nothing came back. */
  status: z.nullable(z.number()),
  /** The beginning of the answer as it came, for the choice of places; "" for a table. */
  answer: z.string(),
  durationMs: z.number(),
});
export type ToolTrial = z.infer<typeof ToolTrial>;

export const ToolsQuery = z.object({ twinId: z.optional(z.uuid("Неверный двойник")) });

export const toolsApi = {
  list: endpoint("GET /api/tools", {
    access: "editor",
    // Without a model other tools are called than with one.
    tags: ["twins", "tools", "models", "remote-model", "model-rule"],
    summary: "Действия двойников, которыми управляет вызывающий",
    query: ToolsQuery,
    output: z.array(Tool),
  }),
  readTable: endpoint("POST /api/tools/tables", {
    access: "editor",
    refreshes: "nothing",
    summary: "Прочитать таблицу (CSV, xlsx или CSV по адресу), чтобы выбрать столбцы; без действия она хранится сутки",
    input: TableInputFile,
    output: ToolTable,
    status: 201,
  }),
  create: endpoint("POST /api/tools", {
    access: "editor",
    refreshes: ["tools"],
    summary: `Новое действие двойника, до ${TOOLS_LIMIT}`,
    input: NewTool,
    output: Tool,
    status: 201,
  }),
  update: endpoint("PUT /api/tools/:id", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Изменить действие, включить или выключить его",
    params: IdParams,
    input: ToolInput,
    output: Tool,
  }),
  remove: endpoint("DELETE /api/tools/:id", {
    access: "editor",
    refreshes: ["tools", "acts"],
    summary: "Удалить действие с его ключами и таблицей; что им сделано, остаётся в журнале",
    params: IdParams,
  }),
  try: endpoint("POST /api/tools/:id/try", {
    access: "editor",
    refreshes: "nothing",
    summary: "Проверить действие на примере, без собеседника",
    params: IdParams,
    input: TrialInput,
    output: ToolTrial,
  }),
};
