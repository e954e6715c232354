import { useRef } from "react";
import type { Phrase } from "#contract/knowledge/style-samples.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { useDecisionKeys } from "#web/ui/decision-keys.ts";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useDecidePhrase, useRemoveSample } from "./queries.ts";

interface PhrasesCardProps {
  twinId: string;
  phrases: readonly Phrase[];
  readOnly: string | null;
}

/** One past reply after another, which the owner opens to everybody or not, by a key each. */
export function PhrasesCard({ twinId, phrases, readOnly }: PhrasesCardProps) {
  const [decide, remove] = [useDecidePhrase(twinId), useRemoveSample(twinId)];
  const card = useRef<HTMLElement>(null);
  const [phrase] = phrases;

  function set(open: boolean) {
    if (phrase === undefined || readOnly !== null || decide.isPending) return;
    decide.mutate(
      { ...phrase, open },
      {
        onSuccess: (sample) => {
          card.current?.focus({ preventScroll: true });
          if (sample !== null)
            actionToast("Фраза открыта всем", [{ label: "Отменить", onPress: () => remove.mutate(sample.id) }]);
        },
      },
    );
  }

  useDecisionKeys(card, (code) => {
    if (code === "KeyY") set(true);
    else if (code === "KeyN") set(false);
    else return false;
    return true;
  });

  if (phrase === undefined) return null;
  return (
    <Card aria-labelledby="phrases" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="phrases"
        title="Эти фразы увидят все"
        description="Ваши прошлые ответы. Откройте те, что годятся любому: двойник возьмёт из них манеру, но не факты."
        action={
          <span className="text-md text-muted tabular-nums">{plural(phrases.length, ["фраза", "фразы", "фраз"])}</span>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <blockquote
          lang={/[а-яё]/i.test(phrase.text) ? "ru" : undefined}
          aria-live="polite"
          className="max-w-measure whitespace-pre-line rounded-md bg-sunken px-4 py-3 text-base [overflow-wrap:anywhere]"
        >
          {phrase.text}
        </blockquote>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" whyNot={readOnly} disabled={decide.isPending} onClick={() => set(true)}>
            Показывать
            <KeyHint>Y</KeyHint>
          </Button>
          <Button whyNot={readOnly} disabled={decide.isPending} onClick={() => set(false)}>
            Не показывать
            <KeyHint>N</KeyHint>
          </Button>
        </div>
        <p className="text-sm text-subtle">
          Имена, телефоны и&nbsp;адреса заменены на&nbsp;[имя], [телефон], [адрес]. Как готовый ответ фразу открывают
          в&nbsp;«Кому видны ответы».
        </p>
      </CardBody>
    </Card>
  );
}
