/** Security of the caller's own account: password, second factor, passkeys, sessions, notices and consent. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { SignedInUser } from "./auth.ts";
import { ConsentVersion } from "./consent.ts";
import { NewPassword } from "./registration.ts";
import { AssertedCredential, AttestedCredential, CredentialOptions, TotpCode } from "./second-step.ts";

/** Sensitive actions require a sign-in or a confirmation within this many minutes. */
export const CONFIRMED_MINUTES = 10;
export const RECOVERY_CODES = 10;
export const PASSKEYS_LIMIT = 20;

const Password = z
  .string("Введите пароль")
  .check(z.minLength(1, "Введите пароль"), z.maxLength(256, "Слишком длинный пароль"));
const PasskeyName = z
  .string("Введите название")
  .check(z.trim(), z.minLength(1, "Введите название"), z.maxLength(60, "Слишком длинное название"));

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

export const AccountSession = z.object({
  id: z.string(),
  /** Browser and system, such as «Chrome, Windows»; null for sessions that predate this field. */
  device: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

const GivenConsent = z.object({ version: z.string(), acceptedAt: z.string() });

export const AccountSecurity = z.object({
  email: z.nullable(z.string()),
  emailConfirmed: z.boolean(),
  hasPassword: z.boolean(),
  /** false for the demo workspace's user, whom all visitors share. */
  changeable: z.boolean(),
  /** Whether sensitive actions are possible now without a new confirmation. */
  fresh: z.boolean(),
  totp: z.object({ enabledAt: z.nullable(z.string()), recoveryCodesLeft: z.int() }),
  passkeys: z.array(Passkey),
  mail: z.boolean(),
  consents: z.array(GivenConsent),
});
export type AccountSecurity = z.infer<typeof AccountSecurity>;

export const SecurityNotice = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  at: z.string(),
  seen: z.boolean(),
});
export type SecurityNotice = z.infer<typeof SecurityNotice>;

/** Exactly one of: the password, a code of the authenticator app (accounts without a password), or a passkey's response. */
export const ConfirmInput = z.object({
  password: z.optional(Password),
  code: z.optional(TotpCode),
  passkey: z.optional(AssertedCredential),
});
export type ConfirmInput = z.infer<typeof ConfirmInput>;

export const PasswordChangeInput = z.object({ currentPassword: Password, newPassword: NewPassword });
export type PasswordChangeInput = z.infer<typeof PasswordChangeInput>;
export const TotpCodeInput = z.object({ code: TotpCode });
export const PasskeyNameInput = z.object({ name: PasskeyName });
const PasskeyInput = z.object({ name: PasskeyName, credential: AttestedCredential });

const Done = z.object({ success: z.literal(true) });
const id = z.object({ id: z.uuid("Неверный идентификатор") });
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** An account that signs in by Telegram has its name from there and cannot change it. */
export const ProfileInput = z.object({
  firstName: z
    .string("Введите имя")
    .check(z.trim(), z.minLength(1, "Введите имя"), z.maxLength(100, "Слишком длинное имя")),
  lastName: z.string().check(z.trim(), z.maxLength(100, "Слишком длинная фамилия")),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

export const accountApi = {
  /** Responds 409 for an account that signs in by Telegram. */
  profile: endpoint("PUT /api/account/profile", {
    access: "signed-in",
    refreshes: "session",
    summary: "Изменить своё имя",
    input: ProfileInput,
    output: z.object({ user: SignedInUser }),
  }),
  security: endpoint("GET /api/account/security", {
    access: "signed-in",
    tags: ["account"],
    summary: "Безопасность своего аккаунта",
    output: AccountSecurity,
  }),
  /** Responds 403 when the proof is wrong, 429 after five wrong ones. */
  confirm: endpoint("POST /api/account/confirm", {
    access: "signed-in",
    refreshes: "nothing",
    beforeConfirmation: true,
    summary: "Подтвердить, что это вы: паролем, кодом или ключом доступа",
    input: ConfirmInput,
    output: Done,
  }),
  confirmOptions: endpoint("POST /api/account/confirm/passkey", {
    access: "signed-in",
    refreshes: "nothing",
    summary: "Начать подтверждение ключом доступа",
    output: CredentialOptions,
  }),
  password: endpoint("POST /api/account/password", {
    access: "signed-in",
    refreshes: ["account"],
    beforeConfirmation: true,
    summary: "Сменить пароль; остальные сеансы завершаются",
    input: PasswordChangeInput,
    output: Done,
  }),
  totp: endpoint("POST /api/account/totp", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Начать подключение приложения с кодами",
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  totpConfirm: endpoint("POST /api/account/totp/confirm", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Включить вход по коду первым верным кодом",
    input: TotpCodeInput,
    output: RecoveryCodes,
  }),
  totpOff: endpoint("DELETE /api/account/totp", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Отключить вход по коду",
  }),
  recoveryCodes: endpoint("POST /api/account/recovery-codes", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Новые коды восстановления вместо прежних",
    output: RecoveryCodes,
  }),
  passkeyOptions: endpoint("POST /api/account/passkeys/options", {
    access: "signed-in",
    refreshes: "nothing",
    summary: "Начать добавление ключа доступа",
    output: CredentialOptions,
  }),
  passkeyAdd: endpoint("POST /api/account/passkeys", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Добавить ключ доступа",
    status: 201,
    input: PasskeyInput,
    output: Passkey,
  }),
  passkeyRename: endpoint("PUT /api/account/passkeys/:id", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Переименовать ключ доступа",
    params: id,
    input: PasskeyNameInput,
    output: Passkey,
  }),
  passkeyRemove: endpoint("DELETE /api/account/passkeys/:id", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Удалить ключ доступа",
    params: id,
  }),
  sessions: endpoint("GET /api/account/sessions", {
    access: "signed-in",
    tags: ["account"],
    summary: "Свои сеансы",
    output: z.array(AccountSession),
  }),
  sessionEnd: endpoint("DELETE /api/account/sessions/:id", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Завершить один свой сеанс",
    params: id,
  }),
  sessionsEnd: endpoint("POST /api/account/sessions/end", {
    access: "signed-in",
    refreshes: ["account"],
    beforeConfirmation: true,
    summary: "Выйти везде: на всех остальных устройствах или на всех",
    input: z.object({ current: z.boolean() }),
    output: z.object({ ended: z.int() }),
  }),
  notices: endpoint("GET /api/account/notices", {
    access: "signed-in",
    tags: ["account", "notices"],
    summary: "Что происходило с аккаунтом",
    output: z.array(SecurityNotice),
  }),
  noticesSeen: endpoint("POST /api/account/notices/seen", {
    access: "signed-in",
    // New notices stay marked while the user looks; the screen refreshes `notices` when the user leaves it.
    refreshes: "nothing",
    beforeConfirmation: true,
    summary: "Отметить уведомления прочитанными",
    output: Done,
  }),
  /** Responds 409 when the texts have changed in the meantime. */
  consent: endpoint("POST /api/account/consent", {
    access: "signed-in",
    refreshes: "session",
    beforeConfirmation: true,
    summary: "Принять условия и политику",
    input: z.object({ version: ConsentVersion }),
    output: z.object({ user: SignedInUser }),
  }),
};
