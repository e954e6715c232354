/** Second step of a sign-in, and passkey responses. It is separate from account.ts, whose calls are needed only after signing in. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { SignInResult } from "./auth.ts";

/** Six digits; spaces are removed, because authenticator apps show them. */
export const TotpCode = z.pipe(
  z.string("Введите код").check(z.maxLength(20, "Введите шесть цифр")),
  z.pipe(
    z.transform((code: string) => code.replaceAll(" ", "")),
    z.string().check(z.regex(/^\d{6}$/, "Введите шесть цифр")),
  ),
);
/** Sixteen letters and digits; case and dashes are ignored. */
export const RecoveryCode = z.pipe(
  z.string("Введите код восстановления").check(z.maxLength(40, "Проверьте код восстановления")),
  z.pipe(
    z.transform((code: string) => code.replaceAll(/[\s-]/g, "").toUpperCase()),
    z.string().check(z.regex(/^[2-9A-HJ-NP-Z]{16}$/, "Проверьте код восстановления")),
  ),
);

/** The result of `navigator.credentials`, as JSON (WebAuthn level 3, 5.1); the server's WebAuthn library checks it. */
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
/** Options for `navigator.credentials`, as JSON; the client passes them on unchanged. */
export const CredentialOptions = z.looseObject({ challenge: z.string() });

export const SecondFactorInput = z.object({
  challenge: z.string("Войдите ещё раз").check(z.minLength(20, "Войдите ещё раз"), z.maxLength(200)),
  code: z.optional(TotpCode),
  recoveryCode: z.optional(RecoveryCode),
});
export type SecondFactorInput = z.infer<typeof SecondFactorInput>;

export const secondStepApi = {
  /** Responds 401 for a wrong code or an expired challenge, 429 after five wrong codes. */
  secondFactor: endpoint("POST /api/auth/second-factor", {
    access: "public",
    refreshes: "session",
    summary: "Второй шаг входа: код из приложения или код восстановления",
    input: SecondFactorInput,
    output: SignInResult,
  }),
  passkeyOptions: endpoint("POST /api/auth/passkey/options", {
    access: "public",
    refreshes: "nothing",
    summary: "Начать вход с ключом доступа",
    output: CredentialOptions,
  }),
  passkey: endpoint("POST /api/auth/passkey", {
    access: "public",
    refreshes: "session",
    summary: "Вход с ключом доступа",
    input: z.object({ credential: AssertedCredential }),
    output: SignInResult,
  }),
};
