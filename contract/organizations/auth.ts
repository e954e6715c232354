import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { Operator } from "./consent.ts";

/** Token that the login page's second debug button stores. The server accepts it only in demo mode, as the demo user. */
export const DEMO_TOKEN = "demo-token-of-the-demo-user";

export const Email = z
  .string("Введите email")
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, { error: "Введите email", abort: true }),
    z.maxLength(254, "Слишком длинный email"),
    z.email("Введите корректный email"),
  );
export const Role = z.enum(["user", "org_admin", "viewer"]);
export type Role = z.infer<typeof Role>;

export const SignedInUser = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  /** Both spellings of the name, because the specification's code reads either. */
  first_name: z.string(),
  last_name: z.string(),
  fullName: z.string(),
  username: z.nullable(z.string()),
  telegramUsername: z.nullable(z.string()),
  photo_url: z.nullable(z.string()),
  authMethod: z.enum(["telegram", "email"]),
  emailConfirmed: z.boolean(),
  role: Role,
  superAdmin: z.boolean(),
  isDemo: z.boolean(),
  organizationId: z.string(),
  consentDue: z.boolean(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

export const EmailLoginInput = z.object({
  email: Email,
  password: z
    .string("Введите пароль")
    .check(z.minLength(1, "Введите пароль"), z.maxLength(256, "Слишком длинный пароль")),
});
export type EmailLoginInput = z.infer<typeof EmailLoginInput>;

/** Payload of Telegram's login widget. Unknown fields are kept, because the signature covers every received field. */
export const TelegramLoginInput = z.looseObject({
  id: z.union([z.int().check(z.positive()), z.string().check(z.regex(/^\d{1,20}$/))]),
  first_name: z.optional(z.string().check(z.maxLength(256))),
  last_name: z.optional(z.string().check(z.maxLength(256))),
  username: z.optional(z.string().check(z.maxLength(64))),
  photo_url: z.optional(z.string().check(z.maxLength(2048))),
  auth_date: z.optional(z.union([z.int(), z.string().check(z.regex(/^\d{1,12}$/))])),
  hash: z.optional(z.string().check(z.maxLength(128))),
});
export type TelegramLoginInput = z.infer<typeof TelegramLoginInput>;

export const SignInResult = z.object({ success: z.literal(true), token: z.string(), user: SignedInUser });
export type SignInResult = z.infer<typeof SignInResult>;
/** The first step succeeded and the account has a second factor: send `challenge` with the code to POST /api/auth/second-factor. */
export const SecondFactorNeeded = z.object({
  success: z.literal(false),
  secondFactor: z.object({ challenge: z.string(), expiresInSeconds: z.int() }),
  message: z.string(),
});
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>;
export const FirstStepResult = z.union([SignInResult, SecondFactorNeeded]);
export type FirstStepResult = z.infer<typeof FirstStepResult>;
const Done = z.object({ success: z.literal(true) });

/** Where emails go: `mail` to the mail server, `log` to the server's log, because no mail server is configured. */
export const MailTransport = z.enum(["mail", "log"]);
export type MailTransport = z.infer<typeof MailTransport>;
export const OwnOrganization = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  /** Whether the current session works in this organisation. */
  current: z.boolean(),
});
export type OwnOrganization = z.infer<typeof OwnOrganization>;

export const authApi = {
  verify: endpoint("GET /api/auth/verify", {
    access: "signed-in",
    summary: "Кто вошёл",
    output: z.object({ user: SignedInUser }),
  }),
  telegram: endpoint("POST /api/auth/telegram", {
    access: "public",
    refreshes: "session",
    summary: "Вход через виджет Telegram",
    input: TelegramLoginInput,
    output: FirstStepResult,
  }),
  login: endpoint("POST /api/auth/email/login", {
    access: "public",
    refreshes: "session",
    summary: "Вход по email и паролю",
    input: EmailLoginInput,
    output: FirstStepResult,
  }),
  organizations: endpoint("GET /api/auth/organizations", {
    access: "signed-in",
    tags: ["memberships"],
    summary: "Организации, в которых я участвую",
    output: z.array(OwnOrganization),
  }),
  organization: endpoint("POST /api/auth/organization", {
    access: "signed-in",
    refreshes: "session",
    beforeConfirmation: true,
    summary: "Перейти в другую свою организацию",
    input: z.object({ organizationId: z.uuid("Неверный идентификатор") }),
    output: z.object({ user: SignedInUser }),
  }),
  logout: endpoint("POST /api/auth/logout", {
    access: "signed-in",
    refreshes: "session",
    beforeConfirmation: true,
    summary: "Выход",
    output: Done,
  }),
};

export const PublicConfig = z.object({
  demo: z.boolean(),
  letters: MailTransport,
  /** Name of the bot behind the login widget, without @; null when none is configured. */
  telegramBot: z.nullable(z.string()),
  engine: z.enum(["embedded", "llm"]),
  version: z.string(),
  /** Host name that passkeys are bound to; null where the installation's URL does not allow passkeys. */
  passkeyHost: z.optional(z.nullable(z.string())),
  /** The operator responsible for personal data; null where the settings name none. */
  operator: z.optional(z.nullable(Operator)),
});
export type PublicConfig = z.infer<typeof PublicConfig>;

export const platformApi = {
  config: endpoint("GET /api/config", { access: "public", summary: "Что включено", output: PublicConfig }),
};
