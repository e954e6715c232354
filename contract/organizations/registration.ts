/** Registration, and what one-time links in emails do: confirm an address and set a new password. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { Email, MailTransport, SignInResult } from "./auth.ts";
import { ConsentVersion } from "./consent.ts";

export const MIN_PASSWORD_LENGTH = 8;

export const NewPassword = z
  .string("Введите пароль")
  .check(
    z.minLength(MIN_PASSWORD_LENGTH, `Пароль должен содержать минимум ${MIN_PASSWORD_LENGTH} символов`),
    z.maxLength(256, "Слишком длинный пароль"),
  );
export const OneTimeToken = z
  .string("Ссылка недействительна")
  .check(z.minLength(20, "Ссылка недействительна"), z.maxLength(200));

export const RegisterInput = z.object({
  email: Email,
  password: NewPassword,
  firstName: z.optional(z.string().check(z.trim(), z.maxLength(100, "Слишком длинное имя"))),
  lastName: z.optional(z.string().check(z.trim(), z.maxLength(100, "Слишком длинная фамилия"))),
  /** Version of the legal texts that the user accepts; browsers cannot register without it (docs/decisions/015-accounts-and-sign-in.md). */
  consent: z.optional(ConsentVersion),
});
export type RegisterInput = z.infer<typeof RegisterInput>;

const Done = z.object({ success: z.literal(true) });
const Lettered = z.object({ success: z.literal(true), letter: MailTransport });
/** The email is sent after this response, so that no response waits for a slow mail server. */
export const RegisterResult = z.extend(SignInResult, { letter: MailTransport });
export type RegisterResult = z.infer<typeof RegisterResult>;

export const ForgotInput = z.object({ email: Email });
export const ResetInput = z.object({ token: OneTimeToken, password: NewPassword });
/**
 * `startedClean`: the email address had never been confirmed, so another person may have registered with it. Everything in the account was
 * deleted.
 */
export const ResetResult = z.object({ success: z.literal(true), startedClean: z.boolean() });
export const ConfirmInput = z.object({ token: OneTimeToken });

export const registrationApi = {
  register: endpoint("POST /api/auth/email/register", {
    access: "public",
    refreshes: "session",
    summary: "Регистрация",
    input: RegisterInput,
    output: RegisterResult,
  }),
  forgot: endpoint("POST /api/auth/email/forgot", {
    access: "public",
    refreshes: "nothing",
    summary: "Письмо со ссылкой для нового пароля",
    input: ForgotInput,
    output: Lettered,
  }),
  reset: endpoint("POST /api/auth/email/reset", {
    access: "public",
    refreshes: "nothing",
    summary: "Новый пароль по одноразовой ссылке",
    input: ResetInput,
    output: ResetResult,
  }),
  /**
   * Responds 403 `confirm_signed_out` unless the account itself is signed in, so that an unexpected link cannot confirm another account.
   */
  confirm: endpoint("POST /api/auth/email/confirm", {
    access: "public",
    refreshes: "session",
    summary: "Подтверждение адреса по одноразовой ссылке",
    input: ConfirmInput,
    output: Done,
  }),
  /**
   * Responds once the mail server has accepted the email; links in earlier emails become invalid. Errors: 409 when there is nothing to
   * confirm,
   * 429 within a minute of the last email or after five a day, 502 when the mail server rejects it.
   */
  resendConfirmation: endpoint("POST /api/auth/email/confirmation", {
    access: "signed-in",
    refreshes: "nothing",
    beforeConfirmation: true,
    summary: "Отправить письмо для подтверждения адреса ещё раз",
    output: Lettered,
  }),
};
