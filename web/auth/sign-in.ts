import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import {
  authApi,
  type EmailLoginInput,
  type FirstStepResult,
  SecondFactorNeeded,
  type TelegramLoginInput,
} from "#contract/organizations/auth.ts";
import { isNetworkError, serverSentenceOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { paths, returnAddress } from "#web/paths.ts";
import { preloadSignedIn } from "#web/session/preload.ts";
import { useSession } from "#web/session/session.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { SignedIn } from "./signed-in.ts";

/** Preloads the code of the next screen while waiting for the response. */
export const preloadNextScreen = () => preloadSignedIn(returnAddress(location.search) ?? paths.home);

const text = z.optional(z.nullable(z.string()));
const SignInAnswer = z.union([
  SignedIn,
  SecondFactorNeeded,
  z.object({ success: z.literal(false), message: z.catch(text, null), error: z.catch(text, null) }),
]);

/** Thrown for a successful response without a sign-in; its message is the server's sentence, or "". */
class SignInRefused extends Error {}

/** @throws SignInRefused when the response signs no user in and requests no second step */
function firstStep(answer: z.infer<typeof SignInAnswer>): FirstStepResult {
  if (answer.success || "secondFactor" in answer) return answer;
  throw new SignInRefused(answer.message || answer.error || "");
}

/** Receives the challenge of an account that has a second factor. */
export type AskCode = (challenge: string) => void;

/** Signs in with the payload of Telegram's widget; reports success and failure in toasts. */
export function useTelegramLogin(askCode: AskCode) {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadNextScreen,
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

/** Signs in with an email address and a password; reports success and failure in toasts. */
export function useEmailLogin(askCode: AskCode) {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadNextScreen,
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

/** Signs in with a passkey of this device or of a phone nearby; reports success and failure in toasts. */
export function usePasskeyLogin() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadNextScreen,
    mutationFn: async () => {
      const { signInWithPasskey } = await import("./passkey-exchange.ts");
      return signInWithPasskey();
    },
    onSuccess: (answer) => {
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
    },
    onError: (error) => toastFailure("Вход не выполнен", error),
  });
}

/** Shows a failed call in a toast, on screens without toasts of their own. */
export function toastFailure(title: string, error: unknown) {
  toastError(isNetworkError(error) ? "Ошибка сети" : title)(error);
}

/** Returns the server's own sentence, if it sent one. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof SignInRefused ? error.message || undefined : serverSentenceOf(error);
}
