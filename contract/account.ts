/** The security of one's own account: password, second factor, passkeys, sessions, notices, consent. */
import * as z from "zod/mini";
import { NewPassword, SignedInUser, SignInResult } from "./auth.ts";
import { ConsentVersion } from "./consent.ts";
import { endpoint } from "./endpoint.ts";

/** A sensitive act needs a sign-in or a confirmation that is no older. */
export const FRESH_MINUTES = 10;
export const RECOVERY_CODES = 10;
export const PASSKEYS_LIMIT = 20;

const Password = z
  .string("Введите пароль")
  .check(z.minLength(1, "Введите пароль"), z.maxLength(256, "Слишком длинный пароль"));
/** Six digits; spaces, as apps show them, are left out. */
export const TotpCode = z.pipe(
  z.string("Введите код").check(z.maxLength(20, "Введите шесть цифр")),
  z.pipe(
    z.transform((code: string) => code.replaceAll(" ", "")),
    z.string().check(z.regex(/^\d{6}$/, "Введите шесть цифр")),
  ),
);
/** Sixteen letters and digits in any case, with or without dashes. */
export const RecoveryCode = z.pipe(
  z.string("Введите код восстановления").check(z.maxLength(40, "Проверьте код восстановления")),
  z.pipe(
    z.transform((code: string) => code.replaceAll(/[\s-]/g, "").toUpperCase()),
    z.string().check(z.regex(/^[2-9A-HJ-NP-Z]{16}$/, "Проверьте код восстановления")),
  ),
);
const PasskeyName = z
  .string("Введите название")
  .check(z.trim(), z.minLength(1, "Введите название"), z.maxLength(60, "Слишком длинное название"));

/** What `navigator.credentials` answered, as JSON (WebAuthn level 3, 5.1); checked by the server's WebAuthn library. */
const Base64Url = z.string().check(z.minLength(1), z.maxLength(20_000), z.regex(/^[\w-]+$/));
const CredentialOf = <R extends z.core.$ZodLooseShape>(response: R) =>
  z.object({
    id: Base64Url.check(z.maxLength(1400)),
    rawId: Base64Url.check(z.maxLength(1400)),
    type: z.literal("public-key"),
    authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
    clientExtensionResults: z.optional(z.looseObject({})),
    response: z.object(response),
  });
export const AttestedCredential = CredentialOf({
  clientDataJSON: Base64Url,
  attestationObject: Base64Url,
  transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
});
export type AttestedCredential = z.infer<typeof AttestedCredential>;
export const AssertedCredential = CredentialOf({
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url,
  signature: Base64Url,
  userHandle: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
});
export type AssertedCredential = z.infer<typeof AssertedCredential>;
/** Options for `navigator.credentials`, as JSON; whoever calls hands them on as they are. */
const CredentialOptions = z.looseObject({ challenge: z.string() });

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

export const AccountSession = z.object({
  id: z.string(),
  /** «Chrome, Windows»; null for sessions of before this was kept. */
  device: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

export const GivenConsent = z.object({ version: z.string(), acceptedAt: z.string() });

export const AccountSecurity = z.object({
  email: z.nullable(z.string()),
  emailConfirmed: z.boolean(),
  hasPassword: z.boolean(),
  /** False for the demo workspace's user, who is everybody. */
  changeable: z.boolean(),
  /** Whether sensitive acts are possible without a confirmation at this moment. */
  fresh: z.boolean(),
  totp: z.object({ enabledAt: z.nullable(z.string()), recoveryCodesLeft: z.int() }),
  passkeys: z.array(Passkey),
  /** Whether letters reach a mailbox. */
  mail: z.boolean(),
  /** Newest first. */
  consents: z.array(GivenConsent),
});
export type AccountSecurity = z.infer<typeof AccountSecurity>;

export const SecurityNotice = z.object({
  id: z.string(),
  kind: z.string(),
  /** A Russian sentence. */
  text: z.string(),
  at: z.string(),
  seen: z.boolean(),
});
export type SecurityNotice = z.infer<typeof SecurityNotice>;

/** One of them: the password, a code of the app (accounts without a password), a passkey's answer. */
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
export const PasskeyInput = z.object({ name: PasskeyName, credential: AttestedCredential });

export const SecondFactorInput = z.object({
  challenge: z.string("Войдите ещё раз").check(z.minLength(20, "Войдите ещё раз"), z.maxLength(200)),
  code: z.optional(TotpCode),
  recoveryCode: z.optional(RecoveryCode),
});
export type SecondFactorInput = z.infer<typeof SecondFactorInput>;

const Done = z.object({ success: z.literal(true) });
const id = z.object({ id: z.uuid("Неверный идентификатор") });
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const accountApi = {
  security: endpoint("GET /api/account/security", {
    access: "signed-in",
    summary: "Безопасность своего аккаунта",
    output: AccountSecurity,
  }),
  /** 403 when it does not prove who is there, 429 after five wrong ones. */
  confirm: endpoint("POST /api/account/confirm", {
    access: "signed-in",
    beforeConfirmation: true,
    summary: "Подтвердить, что это вы: паролем, кодом или ключом доступа",
    input: ConfirmInput,
    output: Done,
  }),
  confirmOptions: endpoint("POST /api/account/confirm/passkey", {
    access: "signed-in",
    summary: "Начать подтверждение ключом доступа",
    output: CredentialOptions,
  }),
  password: endpoint("POST /api/account/password", {
    access: "signed-in",
    beforeConfirmation: true,
    summary: "Сменить пароль; остальные сеансы завершаются",
    input: PasswordChangeInput,
    output: Done,
  }),
  totp: endpoint("POST /api/account/totp", {
    access: "signed-in",
    summary: "Начать подключение приложения с кодами",
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  totpConfirm: endpoint("POST /api/account/totp/confirm", {
    access: "signed-in",
    summary: "Включить вход по коду первым верным кодом",
    input: TotpCodeInput,
    output: RecoveryCodes,
  }),
  totpOff: endpoint("DELETE /api/account/totp", { access: "signed-in", summary: "Отключить вход по коду" }),
  recoveryCodes: endpoint("POST /api/account/recovery-codes", {
    access: "signed-in",
    summary: "Новые коды восстановления вместо прежних",
    output: RecoveryCodes,
  }),
  passkeyOptions: endpoint("POST /api/account/passkeys/options", {
    access: "signed-in",
    summary: "Начать добавление ключа доступа",
    output: CredentialOptions,
  }),
  passkeyAdd: endpoint("POST /api/account/passkeys", {
    access: "signed-in",
    summary: "Добавить ключ доступа",
    status: 201,
    input: PasskeyInput,
    output: Passkey,
  }),
  passkeyRename: endpoint("PUT /api/account/passkeys/:id", {
    access: "signed-in",
    summary: "Переименовать ключ доступа",
    params: id,
    input: PasskeyNameInput,
    output: Passkey,
  }),
  passkeyRemove: endpoint("DELETE /api/account/passkeys/:id", {
    access: "signed-in",
    summary: "Удалить ключ доступа",
    params: id,
  }),
  sessions: endpoint("GET /api/account/sessions", {
    access: "signed-in",
    summary: "Свои сеансы",
    output: z.array(AccountSession),
  }),
  sessionEnd: endpoint("DELETE /api/account/sessions/:id", {
    access: "signed-in",
    summary: "Завершить один свой сеанс",
    params: id,
  }),
  sessionsEnd: endpoint("POST /api/account/sessions/end", {
    access: "signed-in",
    beforeConfirmation: true,
    summary: "Выйти везде: на всех остальных устройствах или на всех",
    input: z.object({ current: z.boolean() }),
    output: z.object({ ended: z.int() }),
  }),
  notices: endpoint("GET /api/account/notices", {
    access: "signed-in",
    summary: "Что происходило с аккаунтом",
    output: z.array(SecurityNotice),
  }),
  noticesSeen: endpoint("POST /api/account/notices/seen", {
    access: "signed-in",
    beforeConfirmation: true,
    summary: "Отметить уведомления прочитанными",
    output: Done,
  }),
  /** 409 when the texts have changed meanwhile. */
  consent: endpoint("POST /api/account/consent", {
    access: "signed-in",
    beforeConfirmation: true,
    summary: "Принять условия и политику",
    input: z.object({ version: ConsentVersion }),
    output: z.object({ user: SignedInUser }),
  }),
};

export const secondStepApi = {
  /** 401 for a wrong code or a challenge that no longer holds, 429 after five wrong codes. */
  secondFactor: endpoint("POST /api/auth/second-factor", {
    access: "public",
    summary: "Второй шаг входа: код из приложения или код восстановления",
    input: SecondFactorInput,
    output: SignInResult,
  }),
  passkeyOptions: endpoint("POST /api/auth/passkey/options", {
    access: "public",
    summary: "Начать вход с ключом доступа",
    output: CredentialOptions,
  }),
  passkey: endpoint("POST /api/auth/passkey", {
    access: "public",
    summary: "Вход с ключом доступа",
    input: z.object({ credential: AssertedCredential }),
    output: SignInResult,
  }),
};
