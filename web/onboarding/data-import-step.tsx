import { ShieldCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useCreateTwin } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { SourceChoice } from "./source-choice.tsx";
import { StepCard } from "./step-card.tsx";
import { twinNamed } from "./twin-defaults.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const FORM = "onboarding-import";
const NAME_LIMIT = 200;

/** The step that asks for the twin's name and the source of its owner's messages. */
export function DataImportStep({ source, change }: Pick<OnboardingAddress, "source" | "change">) {
  const [name, setName] = useState("");
  const readOnly = useReadOnly();
  const create = useCreateTwin();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "") return;
    create.mutate(twinNamed(name), {
      // In the place of this entry: «back» must not lead to a second twin.
      onSuccess: (twin) => {
        if (twin) change({ twin: twin.id, source, step: "2" });
        else toast({ title: "Ошибка создания", description: "Сервер не назвал двойника", variant: "destructive" });
      },
      onError: toastError("Ошибка создания"),
    });
  }

  return (
    <StepCard
      title="Импорт данных"
      description="Двойник учится на ваших сообщениях. Назовите его и выберите, откуда взять переписку."
      actions={
        <>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            className="max-sm:w-full"
            busy={create.isPending}
            disabled={name.trim() === "" || readOnly !== null}
          >
            {create.isPending ? "Создание..." : "Продолжить"}
          </Button>
          <Button asChild variant="ghost" className="max-sm:w-full">
            <Link href={paths.dashboard}>Пропустить пока</Link>
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="flex flex-col gap-6">
        <ReadOnly reason={readOnly}>
          <Field label="Имя двойника" required hint="Описание и характер можно дополнить позже в настройках двойника.">
            <Input
              placeholder="Например, Анна Петрова"
              autoComplete="off"
              maxLength={NAME_LIMIT}
              className="sm:max-w-96"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <SourceChoice value={source} onChange={(next) => change({ source: next })} />
        </ReadOnly>
        <p className="flex gap-3 rounded-lg bg-sunken p-4 text-md text-muted">
          <ShieldCheck aria-hidden className="icon mt-0.5 text-primary-text" />
          <span className="max-w-measure">
            Переписка остаётся вашей: её видите только вы, а&nbsp;коллеги, даже администраторы, не&nbsp;видят. Что
            написал один собеседник, двойник не&nbsp;пересказывает другому. Чаты для обучения вы выбираете сами и&nbsp;в
            любой момент можете удалить двойника вместе со&nbsp;всем, что он узнал.
          </span>
        </p>
      </form>
    </StepCard>
  );
}
