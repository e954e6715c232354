import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { RecoveryCode, TotpCode } from "#contract/organizations/second-step.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { toastFailure } from "./sign-in.ts";
import { isSecondStepOver, useSecondStep } from "./use-second-step.ts";

interface SecondStepProps {
  challenge: string;
  onCancel: () => void;
}

export default function SecondStep({ challenge, onCancel }: SecondStepProps) {
  const [way, setWay] = useState<Way>("code");
  return <CodeForm key={way} way={way} setWay={setWay} challenge={challenge} onCancel={onCancel} />;
}

type Way = "code" | "recoveryCode";

const CODE_KINDS = {
  code: {
    schema: z.object({ code: TotpCode }),
    label: "Код из приложения",
    hint: "Шесть цифр из приложения для кодов на вашем телефоне",
    other: "Войти по коду восстановления",
  },
  recoveryCode: {
    schema: z.object({ code: RecoveryCode }),
    label: "Код восстановления",
    hint: "Один из кодов, которые вы сохранили при включении. Каждый подходит один раз.",
    other: "Ввести код из приложения",
  },
} as const;

function CodeForm({ way, setWay, challenge, onCancel }: SecondStepProps & { way: Way; setWay: (way: Way) => void }) {
  const step = useSecondStep();
  const { schema, label, hint, other } = CODE_KINDS[way];
  const { register, handleSubmit, formState, setError, setFocus } = useForm<{ code: string }>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { code: "" },
  });
  useEffect(() => setFocus("code"), [setFocus]);

  const submit = handleSubmit(({ code }) =>
    step.mutate(way === "code" ? { challenge, code } : { challenge, recoveryCode: code }, {
      onError: (error) => {
        if (!isSecondStepOver(error)) return setError("code", { message: messageOf(error) }, { shouldFocus: true });
        toastFailure("Вход не выполнен", error);
        onCancel();
      },
    }),
  );

  const wrong = formState.errors.code?.message;
  return (
    <form noValidate onSubmit={submit} className="flex animate-fade-in flex-col gap-4">
      <Field label={label} required error={wrong} hint={wrong ? undefined : hint}>
        <Input
          autoComplete={way === "code" ? "one-time-code" : "off"}
          inputMode={way === "code" ? "numeric" : "text"}
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono tracking-widest"
          {...register("code")}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" className="flex-1" busy={step.isPending}>
          {step.isPending ? "Вход..." : "Подтвердить"}
        </Button>
        <Button onClick={onCancel} disabled={step.isPending}>
          Отмена
        </Button>
      </div>
      <Button
        variant="ghost"
        onClick={() => setWay(way === "code" ? "recoveryCode" : "code")}
        disabled={step.isPending}
      >
        {other}
      </Button>
    </form>
  );
}
