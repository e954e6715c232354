/** CRM systems that an organisation has connected: each answered conversation of a chosen twin becomes a contact and a deal there. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const CrmSystem = z.enum(["amocrm", "bitrix24"], "Выберите CRM");
export type CrmSystem = z.infer<typeof CrmSystem>;

export const CRM_NAMES: Record<CrmSystem, string> = { amocrm: "amoCRM", bitrix24: "Битрикс24" };

/** Domains on which the CRM systems host customer accounts. The server sends CRM requests to no other domain. */
const CRM_DOMAINS: Record<CrmSystem, readonly string[]> = {
  amocrm: ["amocrm.ru", "amocrm.com", "kommo.com"],
  bitrix24: [
    "bitrix24.ru",
    "bitrix24.com",
    "bitrix24.by",
    "bitrix24.kz",
    "bitrix24.eu",
    "bitrix24.de",
    "bitrix24.fr",
    "bitrix24.es",
    "bitrix24.in",
    "bitrix24.com.br",
    "bitrix24.com.tr",
  ],
};

/** Returns the account's host, such as «company.amocrm.ru», from pasted text; null when the text names no account of the system. */
export function crmHost(system: CrmSystem, entered: string): string | null {
  const host = entered
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .split(/[/?#]/)[0]!;
  const domain = CRM_DOMAINS[system].find((each) => host.endsWith(`.${each}`));
  if (domain === undefined) return null;
  const account = host.slice(0, -domain.length - 1);
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(account) && account !== "www" ? host : null;
}

const CRM_ADDRESS: Record<CrmSystem, string> = {
  amocrm: "Адрес вида company.amocrm.ru",
  bitrix24: "Адрес вида company.bitrix24.ru",
};

const key = z.optional(
  z
    .string("Ожидался текст")
    .check(z.trim(), z.maxLength(200, "Слишком длинное значение"), z.regex(/^[!-~]*$/, "Скопируйте ключ целиком")),
);

/** The application's id and secret are required where the installation's settings name none. */
export const CrmSignIn = z
  .object({
    system: CrmSystem,
    host: z.string("Введите адрес CRM").check(z.trim(), z.maxLength(200, "Слишком длинный адрес")),
    clientId: key,
    clientSecret: key,
  })
  .check((payload) => {
    const { system, host } = payload.value;
    if (crmHost(system, host) === null) {
      payload.issues.push({ code: "custom", message: CRM_ADDRESS[system], path: ["host"], input: host });
    }
  });
export type CrmSignIn = z.infer<typeof CrmSignIn>;

/** Parameters with which the CRM redirects the browser back after the OAuth sign-in. */
export const CrmCode = z.object({
  state: z.string("Нет состояния входа").check(z.regex(/^[\w-]{43}$/, "Вход в CRM начат не здесь")),
  code: z.string("Нет кода").check(z.minLength(1, "Нет кода"), z.maxLength(4000, "Слишком длинный код")),
  /** Host of the account that was signed in to; amoCRM and Bitrix24 add it to the redirect address. */
  host: z.optional(z.string("Ожидался текст").check(z.maxLength(200, "Слишком длинный адрес"))),
});
export type CrmCode = z.infer<typeof CrmCode>;

export const CrmConnection = z.object({
  id: z.string(),
  system: CrmSystem,
  host: z.string(),
  state: z.enum(["connected", "broken"]),
  /** Why the connection is broken, in Russian; null while it works. */
  reason: z.nullable(z.string()),
  connectedAt: z.string(),
  /** Numbers of conversations: `made` have their contact and deal, `waiting` wait for them, `failed` were rejected by the CRM. */
  cards: z.object({ made: z.number(), waiting: z.number(), failed: z.number() }),
  lastFailure: z.nullable(z.string()),
});
export type CrmConnection = z.infer<typeof CrmConnection>;

export const CrmOverview = z.object({
  systems: z.array(
    z.object({
      system: CrmSystem,
      /** Whether the installation has its own application at this CRM; otherwise the administrator enters one. */
      ready: z.boolean(),
    }),
  ),
  redirectUrl: z.string(),
  connections: z.array(CrmConnection),
  choices: z.array(z.object({ twinId: z.string(), connectionId: z.string(), includeTexts: z.boolean() })),
});
export type CrmOverview = z.infer<typeof CrmOverview>;

export const CrmChoice = z.object({
  connectionId: z.optional(z.uuid("Выберите CRM")),
  /** Whether the note beside the deal contains the conversation's text; otherwise it contains only a link. */
  includeTexts: z.boolean("Ожидалось true или false"),
});
export type CrmChoice = z.infer<typeof CrmChoice>;

export const crmApi = {
  overview: endpoint("GET /api/crm", {
    access: "signed-in",
    tags: ["crm"],
    summary: "Подключённые CRM и то, что в них передано",
    output: CrmOverview,
  }),
  signIn: endpoint("POST /api/crm/sign-in", {
    access: "org_admin",
    refreshes: "nothing",
    summary: "Начать вход в CRM: адрес, на который нужно перейти",
    input: CrmSignIn,
    output: z.object({ url: z.string() }),
  }),
  complete: endpoint("POST /api/crm/complete", {
    access: "org_admin",
    refreshes: ["crm"],
    summary: "Завершить вход в CRM кодом, с которым она вернула",
    input: CrmCode,
    output: CrmConnection,
  }),
  remove: endpoint("DELETE /api/crm/connections/:id", {
    access: "org_admin",
    refreshes: ["crm"],
    summary: "Отключить CRM и уничтожить её ключи; созданное в ней остаётся",
    params: IdParams,
  }),
  choose: endpoint("PUT /api/digital-twins/:id/crm", {
    access: "editor",
    refreshes: ["crm"],
    summary: "Выбрать, в какую CRM передавать диалоги двойника",
    params: IdParams,
    input: CrmChoice,
    output: CrmChoice,
  }),
};
