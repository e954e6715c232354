import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type SecondFactorInput, secondStepApi } from "#contract/account.ts";
import {
  authApi,
  type EmailLoginInput,
  type FirstStepResult,
  type RegisterInput,
  RegisterResult,
  SecondFactorNeeded,
  SignInResult,
  type TelegramLoginInput,
} from "#contract/auth.ts";
import { ApiError, call, isNetworkError, messageOf, serverSentenceOf } from "#web/api.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { askForPasskey } from "#web/passkey.ts";
import { paths, returnAddress } from "#web/paths.ts";
import { preloadSignedIn } from "#web/screens.ts";
import { useSession } from "#web/session.tsx";
import { ReadUser } from "#web/signed-in-user.ts";
import { toast } from "#web/ui/toast.ts";

/** On a slow line the code of the next screen comes together with the answer. */
const preloadWhatFollows = () => preloadSignedIn(returnAddress(location.search) ?? paths.home);

const text = z.optional(z.nullable(z.string()));
const SignedIn = z.extend(SignInResult, { user: ReadUser });
const SignInAnswer = z.union([
  SignedIn,
  SecondFactorNeeded,
  z.object({ success: z.literal(false), message: z.catch(text, null), error: z.catch(text, null) }),
]);

/** An ok answer that signs nobody in; its message is the server's sentence, "" without one. */
class SignInRefused extends Error {}

/** @throws SignInRefused when nobody is signed in and no second step is asked for */
function firstStep(answer: z.infer<typeof SignInAnswer>): FirstStepResult {
  if (answer.success || "secondFactor" in answer) return answer;
  throw new SignInRefused(answer.message || answer.error || "");
}

/** Takes the challenge of an account that has a second step. */
export type AskCode = (challenge: string) => void;

/** Signs in with what the messenger's widget gave; tells of success and failure in toasts. */
export function useTelegramLogin(askCode: AskCode) {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadWhatFollows,
    mutationFn: async (input: TelegramLoginInput) =>
      firstStep(await call({ ...authApi.telegram, output: SignInAnswer }, { input })),
    onSuccess: (answer) => {
      if (!answer.success) return askCode(answer.secondFactor.challenge);
      toast({ title: "Успешный вход", description: `Добро пожаловать, ${answer.user.firstName}!` });
      login(answer);
    },
    onError: (error) =>
      toast({
        variant: "destructive",
        ...(isNetworkError(error)
          ? { title: "Ошибка сети", description: error.message }
          : { title: "Ошибка", description: sentenceOf(error) ?? "Неизвестная ошибка" }),
      }),
  });
}

/** Signs in with an e-mail and a password; tells of success and failure in toasts. */
export function useEmailLogin(askCode: AskCode) {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadWhatFollows,
    mutationFn: async (input: EmailLoginInput) =>
      firstStep(await call({ ...authApi.login, output: SignInAnswer }, { input })),
    onSuccess: (answer) => {
      if (!answer.success) return askCode(answer.secondFactor.challenge);
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
    },
    onError: (error) =>
      toast({
        variant: "destructive",
        ...(isNetworkError(error)
          ? { title: "Ошибка сети", description: "Проверьте подключение к интернету" }
          : { title: "Ошибка входа", description: sentenceOf(error) ?? "Неверный email или пароль" }),
      }),
  });
}

/** The second step. A wrong code is the form's to show. */
export function useSecondStep() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadWhatFollows,
    mutationFn: (input: z.input<typeof SecondFactorInput>) =>
      call({ ...secondStepApi.secondFactor, output: SignedIn }, { input }),
    onSuccess: (answer) => {
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
    },
  });
}

/** Signs in with a key of this device or of a phone nearby; tells of success and failure in toasts. */
export function usePasskeyLogin() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadWhatFollows,
    mutationFn: async () => {
      const options = await call(secondStepApi.passkeyOptions);
      const credential = await askForPasskey(options);
      return call({ ...secondStepApi.passkey, output: SignedIn }, { input: { credential } });
    },
    onSuccess: (answer) => {
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
    },
    onError: (error) => toastFailure("Вход не выполнен", error),
  });
}

/** Makes an account and signs in to it. A taken e-mail is the form's to show. */
export function useRegistration() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadWhatFollows,
    mutationFn: (input: RegisterInput) =>
      call({ ...authApi.register, output: z.extend(RegisterResult, { user: ReadUser }) }, { input }),
    onSuccess: (answer, { email }) => {
      toast({
        title: "Добро пожаловать!",
        description:
          answer.letter === "mail"
            ? `Отправляем письмо для подтверждения адреса на ${email}`
            : `${NO_LETTER} Ссылку для подтверждения адреса передаст администратор платформы.`,
      });
      login(answer);
    },
    onError: (error) => {
      if (!isEmailTaken(error)) toastFailure("Ошибка регистрации", error);
    },
  });
}

export const isSecondStepOver = (error: unknown) => codeOf(error) === "second_factor_expired";
export const isConsentOutdated = (error: unknown) => codeOf(error) === "consent_outdated";
export const isEmailTaken = (error: unknown) => codeOf(error) === "email_taken";

/** True when a letter's link is unknown, used or too old. */
export const isLinkInvalid = (error: unknown) => codeOf(error) === "link_invalid";

/** True when a confirmation link was opened by nobody, or by somebody else than the account's own user. */
export const isOthersConfirmation = (error: unknown) => codeOf(error) === "confirm_signed_out";

function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.serverMessage?.code : undefined;
}

/** A failed call of a screen without toasts of its own. */
export function toastFailure(title: string, error: unknown) {
  toast({
    title: isNetworkError(error) ? "Ошибка сети" : title,
    description: messageOf(error),
    variant: "destructive",
  });
}

/** The server's own sentence, if it sent one. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof SignInRefused ? error.message || undefined : serverSentenceOf(error);
}
