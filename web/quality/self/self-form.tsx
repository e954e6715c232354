import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import {
  LONGEST_SELF,
  type SelfPresentation,
  type StatedGender,
  type StatedSelf,
} from "#contract/knowledge/self-presentation.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface SelfFormProps {
  data: SelfPresentation;
  busy: boolean;
  onSave: (stated: StatedSelf) => void;
  onCancel: () => void;
}

const NOTHING: StatedSelf = { gender: "learnt" };

export function SelfForm({ data: { learnt, stated }, busy, onSave, onCancel }: SelfFormProps) {
  const [gender, setGender] = useState<StatedGender>(
    stated.gender === "learnt" ? (learnt.gender?.value ?? "unstated") : stated.gender,
  );
  const [role, setRole] = useState(stated.role ?? learnt.role?.text ?? "");
  const [greeting, setGreeting] = useState(stated.greeting ?? learnt.greeting?.text ?? "");
  const [signature, setSignature] = useState(stated.signature ?? learnt.signature?.text ?? "");
  const isStated = stated.gender !== "learnt" || Object.keys(stated).length > 1;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    onSave({
      gender: gender === "unstated" && stated.gender === "learnt" && learnt.gender === null ? "learnt" : gender,
      // A role that stands in a public text needs no statement.
      role:
        stated.role === undefined && role.trim() === learnt.role?.text
          ? undefined
          : statedText(role, stated.role, learnt.role),
      greeting: statedText(greeting, stated.greeting, learnt.greeting),
      signature: statedText(signature, stated.signature, learnt.signature),
    });
  }

  return (
    <form
      className="flex max-w-measure flex-col gap-5"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <GenderChoice value={gender} onChoose={setGender} />
      <Field label="Роль" hint="Кем вас называть, например «мастер по ремонту обуви»">
        <Input value={role} maxLength={LONGEST_SELF.role} onChange={(event) => setRole(event.target.value)} />
      </Field>
      <Field label="Приветствие незнакомым" hint="Пусто: без особого приветствия">
        <Input
          value={greeting}
          maxLength={LONGEST_SELF.greeting}
          onChange={(event) => setGreeting(event.target.value)}
        />
      </Field>
      <Field label="Подпись" hint="Для писем; пусто: без подписи">
        <Textarea
          rows={2}
          value={signature}
          maxLength={LONGEST_SELF.signature}
          onChange={(event) => setSignature(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? "Сохранение..." : "Сохранить"}
        </Button>
        <Button onClick={onCancel}>Отмена</Button>
        {isStated && (
          <Button variant="ghost" disabled={busy} onClick={() => onSave(NOTHING)}>
            Вернуть как в письмах
          </Button>
        )}
      </div>
    </form>
  );
}

/** An empty field overrides what is known otherwise; where nothing is, it states nothing. */
function statedText(text: string, stated: string | undefined, learnt: object | null): string | undefined {
  const value = text.trim();
  return value === "" && learnt === null && stated !== "" ? undefined : value;
}

function GenderChoice({ value, onChoose }: { value: StatedGender; onChoose: (gender: StatedGender) => void }) {
  const name = useId();
  const chosen = useRef<HTMLInputElement>(null);
  // The form takes the place of the button that opened it, so the focus moves into it.
  useEffect(() => chosen.current?.focus(), []);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-md">Род, в котором двойник пишет о себе</legend>
      <div className="flex flex-wrap gap-2">
        {(
          [
            ["female", "женский"],
            ["male", "мужской"],
            ["unstated", "не указан"],
          ] as const
        ).map(([gender, label]) => (
          <label
            key={gender}
            className="flex min-h-11 cursor-pointer items-center rounded-md border border-control bg-surface px-3 text-md has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <input
              ref={value === gender ? chosen : undefined}
              type="radio"
              name={name}
              value={gender}
              checked={value === gender}
              onChange={() => onChoose(gender)}
              className="me-2 accent-primary"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
