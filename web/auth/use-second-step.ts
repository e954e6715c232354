import { useMutation } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { type SecondFactorInput, secondStepApi } from "#contract/organizations/second-step.ts";
import { codeOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { useSession } from "#web/session/session.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { preloadNextScreen } from "./sign-in.ts";
import { SignedIn } from "./signed-in.ts";

export function useSecondStep() {
  const { login } = useSession();
  return useMutation({
    onMutate: preloadNextScreen,
    mutationFn: (input: z.input<typeof SecondFactorInput>) =>
      call({ ...secondStepApi.secondFactor, output: SignedIn }, { input }),
    onSuccess: (answer) => {
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
    },
  });
}

export const isSecondStepOver = (error: unknown) => codeOf(error) === "second_factor_expired";
