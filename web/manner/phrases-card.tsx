import { useRef, useState } from "react";
import type { Phrase } from "#contract/knowledge/style-samples.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { useDecisionKeys } from "#web/ui/decision-keys.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useClosePhrase, useDecidePhrase } from "./queries.ts";

interface PhrasesCardProps {
  twinId: string;
  phrases: readonly Phrase[];
  readOnly: string | null;
}

/** One past reply after another, which the owner opens to everybody as his manner, as a fact, or not, by a key each. */
export function PhrasesCard({ twinId, phrases, readOnly }: PhrasesCardProps) {
  const [decide, close] = [useDecidePhrase(twinId), useClosePhrase(twinId)];
  const card = useRef<HTMLElement>(null);
  const [phrase] = phrases;
  // Each phrase begins as manner alone, so both changes name the phrase that they are about.
  const [ticked, setTicked] = useState({ pairId: "", manner: true, fact: false });
  const ticks = ticked.pairId === phrase?.pairId ? ticked : { manner: true, fact: false };
  const hasFact = phrase?.question !== undefined;

  function tick(changed: { manner?: boolean; fact?: boolean }) {
    if (phrase !== undefined) setTicked({ pairId: phrase.pairId, manner: ticks.manner, fact: ticks.fact, ...changed });
  }

  function set(open: boolean) {
    if (phrase === undefined || readOnly !== null || decide.isPending) return;
    const { manner, fact } = open ? ticks : { manner: false, fact: false };
    if (open && !manner && !fact) return;
    decide.mutate(
      { phrase, manner, fact },
      {
        onSuccess: (opened) => {
          card.current?.focus({ preventScroll: true });
          if (open) actionToast("Фраза открыта всем", [{ label: "Отменить", onPress: () => close.mutate(opened) }]);
        },
      },
    );
  }

  useDecisionKeys(card, (code) => {
    if (code === "KeyY") set(true);
    else if (code === "KeyN") set(false);
    else if (code === "KeyF" && hasFact) tick({ fact: !ticks.fact });
    else return false;
    return true;
  });

  if (phrase === undefined) return null;
  return (
    <Card aria-labelledby="phrases" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="phrases"
        title="Эти фразы увидят все"
        description="Ваши прошлые ответы. Откройте те, что годятся любому: двойник возьмёт из них манеру, а факты — только если вы их отметите."
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
        <div className="flex flex-col gap-2">
          <Checkbox
            checked={ticks.manner}
            disabled={readOnly !== null}
            onChange={({ target }) => tick({ manner: target.checked })}
          >
            Манера: по&nbsp;этой фразе двойник учится писать
          </Checkbox>
          <Checkbox
            checked={ticks.fact}
            disabled={readOnly !== null || !hasFact}
            onChange={({ target }) => tick({ fact: target.checked })}
          >
            {hasFact
              ? `Факт: так двойник может ответить на «${phrase.question}»`
              : "Факт: сама по себе эта фраза ни на что не отвечает"}
            {hasFact && <KeyHint>F</KeyHint>}
          </Checkbox>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            whyNot={readOnly ?? (ticks.manner || ticks.fact ? null : "Сначала отметьте манеру или факт")}
            disabled={decide.isPending}
            onClick={() => set(true)}
          >
            Показывать
            <KeyHint>Y</KeyHint>
          </Button>
          <Button whyNot={readOnly} disabled={decide.isPending} onClick={() => set(false)}>
            Не показывать
            <KeyHint>N</KeyHint>
          </Button>
        </div>
        <p className="text-sm text-subtle">
          Имена, телефоны и&nbsp;адреса заменены на&nbsp;[имя], [телефон], [адрес]. Открытые факты стоят в&nbsp;«Кому
          видны ответы».
        </p>
      </CardBody>
    </Card>
  );
}
