import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { type RegisterInput, RegisterResult, registrationApi } from "#contract/organizations/registration.ts";
import { codeOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { useSession } from "#web/session/session.tsx";
import { LenientSignedInUser } from "#web/session/signed-in-user.ts";
import { preloadNextScreen, toastFailure } from "./sign-in.ts";

/** Creates an account and signs in to it. The form shows that an email address is taken. */
export function useRegistration() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadNextScreen,
    mutationFn: (input: RegisterInput) =>
      call({ ...registrationApi.register, output: z.extend(RegisterResult, { user: LenientSignedInUser }) }, { input }),
    // No toast: the next screen reports whether the confirmation email was sent.
    onSuccess: login,
    onError: (error) => {
      if (!isEmailTaken(error)) toastFailure("Ошибка регистрации", error);
    },
  });
}

export const isEmailTaken = (error: unknown) => codeOf(error) === "email_taken";

export const isLinkInvalid = (error: unknown) => codeOf(error) === "link_invalid";

/** Whether a confirmation link was opened signed out, or signed in as another user. */
export const isConfirmationOfOtherUser = (error: unknown) => codeOf(error) === "confirm_signed_out";
