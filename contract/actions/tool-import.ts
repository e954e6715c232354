/** Tools from an OpenAPI file of the owner's system: the file is read, some of its calls are chosen, each becomes a tool that is off. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { HttpMethod, ProxyInput, ToolField } from "./tool-settings.ts";
import { TOOLS_LIMIT, Tool, ToolInput } from "./tools.ts";

/** Bytes of a description at an address, and of one that is sent in a request, which may be no longer. */
export const DESCRIPTION_BYTES_LIMIT = 1_000_000;
export const DESCRIPTION_UPLOAD_LIMIT = 700_000;
/** Calls of one description that are listed. */
export const DESCRIPTION_CALLS_LIMIT = 1000;

/** A header that each request to the system needs. `bearer` and `basic`: how the entered token, or «login:password», is written in it. */
export const NeededHeader = z.object({
  name: z.string(),
  scheme: z.enum(["bearer", "basic", "plain"]),
  /** What the description says of it; "": nothing. */
  about: z.string(),
});
export type NeededHeader = z.infer<typeof NeededHeader>;

export const OfferedCall = z.object({
  method: HttpMethod,
  /** As the description has it: «/orders/{order-id}». */
  path: z.string(),
  /** Of this call alone; null: the description's. */
  server: z.nullable(z.string()),
  /** What follows the server in the tool's address: «/orders/{order_id}?lang={lang}». */
  target: z.string(),
  title: z.string(),
  description: z.string(),
  /** Whether it may change something: every method but GET. */
  changes: z.boolean(),
  fields: z.array(ToolField),
  headers: z.array(NeededHeader),
  /** Scalars of the answer, as the description has them. */
  shown: z.array(z.object({ path: z.string(), label: z.string() })),
  /** What of the call a tool does not send, as Russian phrases: «вложенное поле address». */
  omitted: z.array(z.string()),
  /** Why it cannot become a tool, as a Russian sentence; null: it can. */
  problem: z.nullable(z.string()),
});
export type OfferedCall = z.infer<typeof OfferedCall>;

export const ToolDescription = z.object({
  title: z.string(),
  /** «OpenAPI 3.1», «Swagger 2.0». */
  format: z.string(),
  /** Addresses without a slash at the end, the first one first; empty where the description has none. */
  servers: z.array(z.string()),
  calls: z.array(OfferedCall),
  /** Calls of the description, listed or not. */
  total: z.number(),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

const twinId = z.uuid("Выберите цифрового двойника");

/** Exactly one of the two. */
export const DescriptionInput = z
  .object({
    twinId,
    text: z.optional(
      z
        .string("Файл не прочитан")
        .check(z.minLength(1, "Файл пуст"), z.maxLength(DESCRIPTION_UPLOAD_LIMIT, "Описание больше 700 КБ")),
    ),
    url: z.optional(z.string("Введите адрес").check(z.trim(), z.maxLength(1000, "Слишком длинный адрес"))),
    proxy: ProxyInput,
  })
  .check(
    z.refine(({ text, url }) => (text === undefined) !== (url === undefined), {
      error: "Выберите файл, вставьте текст или введите адрес",
      path: ["text"],
    }),
  );
export type DescriptionInput = z.infer<typeof DescriptionInput>;

export const ChosenTools = z.object({
  twinId,
  tools: z
    .array(ToolInput)
    .check(
      z.minLength(1, "Отметьте хотя бы один вызов"),
      z.maxLength(TOOLS_LIMIT, `Не больше ${TOOLS_LIMIT} действий`),
    ),
});
export type ChosenTools = z.infer<typeof ChosenTools>;

export const toolImportApi = {
  read: endpoint("POST /api/tools/descriptions", {
    access: "editor",
    refreshes: "nothing",
    summary: "Прочитать описание OpenAPI или Swagger и показать его вызовы; ничего не сохраняется",
    input: DescriptionInput,
    output: ToolDescription,
  }),
  create: endpoint("POST /api/tools/chosen", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Создать выключенные действия из выбранных вызовов: все или ни одного",
    input: ChosenTools,
    output: z.array(Tool),
    status: 201,
  }),
};
