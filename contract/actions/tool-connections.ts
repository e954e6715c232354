/** Accounts at other systems that several tools of a twin share (docs/decisions/048-tools-and-acts.md). */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ProxyChange } from "../integrations/proxy-text.ts";
import { IdParams } from "../twins.ts";
import { HeaderName, HeaderValue, optionalText, ProxyInput, ShownProxy, ToolField } from "./tool-settings.ts";
import { ToolsQuery } from "./tools.ts";

export const CONNECTIONS_LIMIT = 10;
/** Actions of one MCP server that are listed. */
export const OFFERS_LIMIT = 100;
/** Minutes after which a server's list is read again before an action of it is called. */
export const LISTING_FRESH_MINUTES = 10;

const McpAuth = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("none") }),
    z.object({ kind: z.literal("header"), name: HeaderName, value: HeaderValue }),
    z.object({ kind: z.literal("oauth") }),
  ],
  "Выберите, как входить",
);

export const NewMcpConnection = z.object({
  twinId: z.uuid("Выберите цифрового двойника"),
  /** Empty: the server's own name. */
  title: optionalText(80),
  url: z
    .string("Введите адрес")
    .check(
      z.trim(),
      z.maxLength(1000, "Слишком длинный адрес"),
      z.regex(/^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/i, "Адрес вида https://example.ru/mcp"),
    ),
  auth: McpAuth,
  proxy: ProxyInput,
});
export type NewMcpConnection = z.infer<typeof NewMcpConnection>;

/** What a server says of one of its actions. Its words are shown to the owner and never to a model. */
export const OfferedAction = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Proposed from its schema. */
  fields: z.array(ToolField),
  /** Names of fields that are a yes or a no, whose values are given. */
  yesOrNo: z.array(z.string()),
  /** Names of optional fields that are not passed, because they are no plain values. */
  leftOut: z.array(z.string()),
  /** Whether the server says that it only reads: a hint, which decides nothing. */
  readOnly: z.boolean(),
  /** Why it cannot be chosen, as a Russian sentence; null: it can. */
  refusal: z.nullable(z.string()),
});
export type OfferedAction = z.infer<typeof OfferedAction>;

const common = {
  id: z.string(),
  twinId: z.string(),
  title: z.string(),
  url: z.string(),
  proxy: ShownProxy,
  /** `sign-in`: its owner has not signed in yet. */
  state: z.enum(["sign-in", "ready", "broken"]),
  /** Why the system could not be asked last, as a Russian sentence; null: it could. */
  failure: z.nullable(z.string()),
  checkedAt: z.nullable(z.string()),
  createdAt: z.string(),
  /** The tools that are called through it, and stop without it. */
  tools: z.array(z.object({ id: z.string(), title: z.string(), enabled: z.boolean() })),
};

export const ToolConnection = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("mcp"),
    ...common,
    auth: z.enum(["none", "header", "oauth"]),
    /** How the server introduces itself; null: it was not asked yet. */
    server: z.nullable(z.string()),
    offers: z.array(OfferedAction),
  }),
  z.object({
    kind: z.literal("caldav"),
    ...common,
    calendars: z.array(z.object({ url: z.string(), title: z.string() })),
  }),
]);
export type ToolConnection = z.infer<typeof ToolConnection>;
export type McpConnection = Extract<ToolConnection, { kind: "mcp" }>;
export type CalendarConnection = Extract<ToolConnection, { kind: "caldav" }>;

/** Where the owner signs in; null: there is nothing to sign in to. */
const Opened = z.object({ connection: ToolConnection, signInUrl: z.nullable(z.string()) });

/** A new key of a connection that has one; any other is signed in to, or asked, again. */
export const ConnectionRenewal = z.discriminatedUnion(
  "kind",
  [z.object({ kind: z.literal("key"), value: HeaderValue }), z.object({ kind: z.literal("again") })],
  "Выберите, как входить",
);
export type ConnectionRenewal = z.infer<typeof ConnectionRenewal>;

/** Parameters with which the authorization server sends the browser back. */
export const ConnectionCode = z.object({
  state: z.string("Нет состояния входа").check(z.regex(/^[\w-]{43}$/, "Вход начат не здесь")),
  code: z.string("Нет кода").check(z.minLength(1, "Нет кода"), z.maxLength(4000, "Слишком длинный код")),
  /** Who sends it, where he says so. */
  issuer: z.optional(z.string("Ожидался текст").check(z.maxLength(1000, "Слишком длинный адрес"))),
});
export type ConnectionCode = z.infer<typeof ConnectionCode>;

export const toolConnectionsApi = {
  list: endpoint("GET /api/tool-connections", {
    access: "editor",
    tags: ["twins", "tools"],
    summary: "Подключения действий двойников к другим системам",
    query: ToolsQuery,
    output: z.array(ToolConnection),
  }),
  openMcp: endpoint("POST /api/tool-connections/mcp", {
    access: "editor",
    refreshes: ["tools"],
    summary: `Подключить сервер MCP и прочитать список его действий, до ${OFFERS_LIMIT}; при входе OAuth — начать вход`,
    input: NewMcpConnection,
    output: Opened,
    status: 201,
  }),
  renew: endpoint("POST /api/tool-connections/:id/renew", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Войти в подключённую систему снова: новый ключ или новый вход OAuth",
    params: IdParams,
    input: ConnectionRenewal,
    output: Opened,
  }),
  complete: endpoint("POST /api/tool-connections/complete", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Завершить вход кодом, с которым вернул сервер входа",
    input: ConnectionCode,
    output: ToolConnection,
  }),
  read: endpoint("POST /api/tool-connections/:id/read", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Прочитать список действий снова; изменившиеся действия выключаются",
    params: IdParams,
    output: ToolConnection,
  }),
  setProxy: endpoint("PUT /api/tool-connections/:id/proxy", {
    access: "editor",
    refreshes: ["tools"],
    summary: "Ходить в подключённую систему через прокси или снова напрямую",
    params: IdParams,
    input: ProxyChange,
    output: ToolConnection,
  }),
  remove: endpoint("DELETE /api/tool-connections/:id", {
    access: "editor",
    refreshes: ["tools", "acts"],
    summary: "Отключить систему: ключи и её действия удаляются, журнал остаётся",
    params: IdParams,
  }),
};
