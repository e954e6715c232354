/** An organisation's own remote model: its address, sealed key, prices and daily budget. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";
import { ExamAnswer } from "./model-exam.ts";
import { CURRENCIES, GIGACHAT_SCOPES, REMOTE_PRESETS } from "./remote-model-presets.ts";

const ADDRESS_ERROR = "Введите адрес вида https://models.example/v1, без имени, пароля и знака вопроса";
/** Base URL of a server with a model API. */
export const ServerAddress = z.url({ protocol: /^https?$/, error: ADDRESS_ERROR }).check(
  z.maxLength(500, "Слишком длинный адрес"),
  z.refine((address) => /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#@]*)?$/i.test(address), ADDRESS_ERROR),
);

export const ServerModel = z.string("Введите название модели").check(
  z.trim(),
  z.maxLength(200, "Слишком длинное название"),
  z.refine((name) => !/[<>\p{Cc}]/u.test(name), "Замените часть в угловых скобках своим значением"),
);

export const ServerKey = z.string().check(
  z.trim(),
  z.maxLength(4000, "Слишком длинный ключ"),
  z.refine((key) => /^[\x21-\x7e]*$/.test(key), "В ключе только латинские буквы, цифры и знаки, без пробелов"),
);

const Price = z.number("Введите число").check(z.gte(0, "Не меньше нуля"), z.lte(100_000, "Слишком большое число"));

export const CONTEXT_BOUNDS = { least: 1024, most: 10_000_000 };
const NOT_CONTEXT = "Введите целое число токенов, например 32768";

const Fields = z.object({
  preset: z.enum(REMOTE_PRESETS),
  baseUrl: ServerAddress,
  /** URL that issues GigaChat's access tokens; GigaChat's default applies when absent. */
  authUrl: z.optional(ServerAddress),
  model: ServerModel.check(z.minLength(1, "Введите название модели")),
  /** When absent, the stored key stays, provided the address is unchanged. Empty means no key. */
  apiKey: z.optional(ServerKey),
  scope: z.optional(z.enum(GIGACHAT_SCOPES)),
  currency: z.enum(CURRENCIES),
  /** When the price is absent, no cost is calculated. */
  inputPrice: z.optional(Price),
  outputPrice: z.optional(Price),
  /** Daily spending limit in the chosen currency; when absent, only tokens are limited. */
  dailyMoney: z.optional(
    z.number("Введите число").check(z.gt(0, "Больше нуля"), z.lte(10_000_000, "Слишком большое число")),
  ),
  /** Tokens that the model reads at once; when absent, its server is asked. */
  contextTokens: z.optional(
    z
      .int(NOT_CONTEXT)
      .check(
        z.gte(CONTEXT_BOUNDS.least, "Не меньше 1024 токенов"),
        z.lte(CONTEXT_BOUNDS.most, "Слишком большое число"),
      ),
  ),
  /** false keeps the settings but does not use the model. */
  enabled: z.boolean(),
});
export const RemoteModelInput = Fields.check(
  z.refine(({ inputPrice, outputPrice }) => (inputPrice === undefined) === (outputPrice === undefined), {
    error: "Укажите обе цены или ни одной",
    path: ["outputPrice"],
  }),
  z.refine(({ dailyMoney, inputPrice }) => dailyMoney === undefined || inputPrice !== undefined, {
    error: "Чтобы ограничить расход деньгами, укажите цены",
    path: ["dailyMoney"],
  }),
);
export type RemoteModelInput = z.infer<typeof RemoteModelInput>;

const RemoteModelSettings = z.object({
  preset: z.enum(REMOTE_PRESETS),
  baseUrl: z.string(),
  authUrl: z.nullable(z.string()),
  model: z.string(),
  /** Whether a key is stored; no response contains the key itself. */
  hasKey: z.boolean(),
  scope: z.nullable(z.enum(GIGACHAT_SCOPES)),
  currency: z.enum(CURRENCIES),
  inputPrice: z.nullable(z.number()),
  outputPrice: z.nullable(z.number()),
  /** null: its server is asked. */
  contextTokens: z.nullable(z.number()),
  enabled: z.boolean(),
});

export const MODEL_ABILITIES = ["answers", "words", "small-talk"] as const;
/**
 * What an exam lets a model do. answers: it answers. words: it only words what the search found, and its answers wait for the owner. small-talk: it is asked for small talk alone.
 */
export type ModelAbility = (typeof MODEL_ABILITIES)[number];

/**
 * Calls of one answer with a record: usually the answer and its verification; at most a second look into many documents and a repair with
 * its own verification besides (docs/decisions/040-answer-records.md).
 */
export const TURN_CALLS = { usual: 2, most: 5 };

export const EXAM_QUESTIONS = 30;
/** Tokens of a whole exam with a capable model; server/answers/exam/exam.test.ts measures them. */
export const EXAM_TOKENS = { input: 120_000, output: 5000 };
export const ModelExam = z.object({
  asked: z.number(),
  right: z.number(),
  /** Wrong facts, answers to what the documents do not say, and obeyed injections. */
  wrong: z.number(),
  /** «Не знаю» to what the documents do say. */
  honest: z.number(),
  /** Answers that were valid records (docs/decisions/040-answer-records.md). */
  records: z.number(),
  ability: z.enum(MODEL_ABILITIES),
  tokens: z.number(),
  at: z.string(),
});
export type ModelExam = z.infer<typeof ModelExam>;

export const RemoteModel = z.object({
  settings: z.nullable(RemoteModelSettings),
  /** The last exam of this model; null before the first one. */
  exam: z.nullable(ModelExam),
  /** The exam that is under way. */
  examining: z.nullable(z.object({ asked: z.number(), of: z.number() })),
  /** Error code that ended the last exam before its result. */
  examFailure: z.nullable(z.string()),
  /** Whose rule forbids an enabled model; null when it is in use. */
  held: z.nullable(z.enum(["organization", "installation"])),
  /** Whether the caller may enter addresses in a private network and without TLS, which only the operator may. */
  mayBePrivate: z.boolean(),
  /** Usage today (Moscow time). `money` is in the currency of the settings and null when prices are unknown. */
  today: z.object({
    tokens: z.number(),
    tokenLimit: z.number(),
    money: z.nullable(z.number()),
    moneyLimit: z.nullable(z.number()),
  }),
});
export type RemoteModel = z.infer<typeof RemoteModel>;

export const REMOTE_PROBLEMS = [
  "address",
  "private",
  "local-only",
  "dns",
  "refused",
  "tls-issuer",
  "tls-name",
  "tls",
  "key",
  "scope",
  "access",
  "money",
  "quota",
  "model",
  "path",
  "redirect",
  "timeout",
  "protocol",
  "server",
] as const;
export type RemoteProblem = (typeof REMOTE_PROBLEMS)[number];

export const RemoteCheck = z.object({
  problem: z.nullable(z.enum(REMOTE_PROBLEMS)),
  sentence: z.string(),
  milliseconds: z.number(),
  tokens: z.nullable(z.number()),
  /** Tokens that the model reads at once, as its server tells; null: it does not. */
  contextTokens: z.nullable(z.number()),
});
export type RemoteCheck = z.infer<typeof RemoteCheck>;

export const remoteModelApi = {
  get: endpoint("GET /api/organizations/:orgId/remote-model", {
    access: "signed-in",
    tags: ["organization", "remote-model"],
    summary: "Удалённая модель организации: настройки без ключа и расход за сегодня",
    params: OrganizationParams,
    output: RemoteModel,
  }),
  set: endpoint("PUT /api/organizations/:orgId/remote-model", {
    access: "org_admin",
    refreshes: ["remote-model", "model-rule", "model-budget"],
    summary: "Подключить или изменить удалённую модель организации",
    params: OrganizationParams,
    input: RemoteModelInput,
    output: RemoteModel,
  }),
  remove: endpoint("DELETE /api/organizations/:orgId/remote-model", {
    access: "org_admin",
    refreshes: ["remote-model", "model-rule", "model-budget"],
    summary: "Отключить удалённую модель и удалить её ключ",
    params: OrganizationParams,
  }),
  check: endpoint("POST /api/organizations/:orgId/remote-model/check", {
    access: "org_admin",
    refreshes: "nothing",
    summary: "Проверить удалённую модель: спросить несколько слов и сказать, что не так",
    params: OrganizationParams,
    input: RemoteModelInput,
    output: RemoteCheck,
  }),
  examAnswers: endpoint("GET /api/organizations/:orgId/remote-model/exam", {
    access: "signed-in",
    tags: ["organization", "remote-model"],
    summary: "Что удалённая модель ответила на последнем экзамене",
    params: OrganizationParams,
    output: z.object({ answers: z.array(ExamAnswer) }),
  }),
  examine: endpoint("POST /api/organizations/:orgId/remote-model/exam", {
    access: "org_admin",
    refreshes: ["remote-model"],
    summary: "Провести экзамен удалённой модели: тридцать вопросов, по ответам на которые решается, что ей можно",
    params: OrganizationParams,
    output: RemoteModel,
  }),
};
