import { type FormEvent, useState } from "react";
import { telegramImport } from "#web/display-values.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { toast } from "#web/ui/toasts/toast.ts";

interface VerificationStepProps {
  phoneNumber: string;
  busy: boolean;
  onBack: () => void;
  onVerify: (code: string, password: string, choosing: boolean) => void;
}

export function VerificationStep({ phoneNumber, busy, onBack, onVerify }: VerificationStepProps) {
  // Stored only in this step, so that leaving it discards both.
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [choosing, setChoosing] = useState(false);
  const [missing, setMissing] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setMissing(code.trim() === "");
    if (code.trim() === "") {
      toast({ title: "Введите код", description: "Код подтверждения обязателен", variant: "destructive" });
      return;
    }
    onVerify(code.trim(), password, choosing);
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-md text-muted">
        Откройте Telegram с номером <span className="whitespace-nowrap text-fg tabular-nums">{phoneNumber}</span> и
        возьмите код из сообщения от самого Telegram.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Код подтверждения" required hint="5 цифр" error={missing ? "Заполните это поле" : undefined}>
          <Input
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="12345"
            maxLength={20}
            className="tabular-nums"
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setMissing(false);
            }}
          />
        </Field>
        <Field label="Пароль двухэтапной аутентификации" hint="Если он включён в аккаунте">
          <PasswordInput
            what="введённое"
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </div>
      <Checkbox className="w-fit py-1" checked={choosing} onChange={(event) => setChoosing(event.target.checked)}>
        Выбрать диалоги перед импортом
        <span className="block text-sm text-subtle">
          Иначе двойник прочитает {telegramImport.dialogsLimit} последних личных диалогов, без групп.
        </span>
      </Checkbox>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} className="max-sm:flex-1">
          {busy ? "Проверка..." : "Подтвердить"}
        </Button>
        <Button onClick={onBack} disabled={busy} className="max-sm:flex-1">
          Назад
        </Button>
      </div>
    </form>
  );
}
