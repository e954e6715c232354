import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

/** `ask`: ask questions; `drafts`: read answers that wait for approval; `mcp`: both through the Model Context Protocol. */
export const ApiKeyScope = z.enum(["ask", "drafts", "mcp"], "Неизвестное право");
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

/** Prefix of every key, by which scanners for leaked secrets recognise it. */
export const API_KEY_PREFIX = "dtk_";
export const API_KEYS_LIMIT = 20;
export const API_KEY_LIFETIMES = [30, 90, 365] as const;

const daily = (max: number, said: string) =>
  z.int("Введите целое число").check(z.gte(1, "Не меньше 1"), z.lte(max, `Не больше ${said}`));

export const ApiKeyInput = z.object({
  name: z
    .string("Назовите ключ")
    .check(z.trim(), z.minLength(1, "Назовите ключ"), z.maxLength(100, "Не больше 100 символов")),
  scopes: z.array(ApiKeyScope).check(
    z.minLength(1, "Выберите хотя бы одно право"),
    z.refine((scopes) => new Set(scopes).size === scopes.length, "Право названо дважды"),
  ),
  /** Validity in days; when absent, the key is valid until it is revoked. */
  expiresInDays: z.optional(z.literal(API_KEY_LIFETIMES, "Выберите срок")),
  dailyMessages: daily(100_000, "100 000"),
  dailyTokens: daily(100_000_000, "100 000 000"),
});
export type ApiKeyInput = z.infer<typeof ApiKeyInput>;

const ApiKeyDay = z.object({
  day: z.string(),
  messages: z.number(),
  tokens: z.number(),
});

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key, by which its owner recognises it. */
  prefix: z.string(),
  scopes: z.array(ApiKeyScope),
  state: z.enum(["active", "expired", "revoked"]),
  dailyMessages: z.number(),
  dailyTokens: z.number(),
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  lastUsedAt: z.nullable(z.string()),
  /** Usage on the last seven days on which the key was used, oldest first. */
  usage: z.array(ApiKeyDay),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** `token` is the key itself; no other response contains it. */
export const NewApiKey = z.object({ key: ApiKey, token: z.string() });
export type NewApiKey = z.infer<typeof NewApiKey>;

/** Data that a program needs to call the API, besides its key. */
export const ApiAccess = z.object({
  /** Value of `model` in OpenAI-compatible calls. */
  model: z.string(),
  keys: z.array(ApiKey),
});
export type ApiAccess = z.infer<typeof ApiAccess>;

export const apiKeysApi = {
  list: endpoint("GET /api/digital-twins/:id/keys", {
    access: "editor",
    tags: ["twins", "keys"],
    summary: "Ключи двойника для других программ и их расход",
    params: IdParams,
    output: ApiAccess,
  }),
  create: endpoint("POST /api/digital-twins/:id/keys", {
    access: "editor",
    refreshes: ["keys"],
    summary: "Новый ключ; сам ключ показывается только в этом ответе",
    params: IdParams,
    input: ApiKeyInput,
    output: NewApiKey,
    status: 201,
  }),
  revoke: endpoint("DELETE /api/digital-twins/:id/keys/:keyId", {
    access: "editor",
    refreshes: ["keys"],
    summary: "Отозвать ключ: следующий вызов с ним получит 401",
    params: z.extend(IdParams, { keyId: z.uuid("Неверный идентификатор") }),
  }),
};
