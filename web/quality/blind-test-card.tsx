import { lazy, Suspense, useState } from "react";
import { BLIND_PAIRS, type TwinQuality } from "#contract/quality.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { verdictOf } from "./blind-test-verdict.ts";
import { MoreLetters } from "./more-letters.tsx";

const BlindTestDialog = lazy(() => import("./blind-test-dialog.tsx"));

interface BlindTestCardProps {
  twinId: string;
  tests: TwinQuality["blindTests"];
  ready: boolean;
  /** Whether a fidelity figure exists, without which no replies can be compared. */
  measured: boolean;
  readOnly: boolean;
  /** Whether another part of the page already says that messages are lacking, so that this card does not repeat it. */
  lettersAsked: boolean;
}

/** Card of the blind test: its purpose, the last results and its start. */
export function BlindTestCard({ twinId, tests, ready, measured, readOnly, lettersAsked }: BlindTestCardProps) {
  const [open, setOpen] = useState(false);
  const [last, ...earlier] = tests;
  const condition = measured
    ? `Откроется, когда в последних разговорах найдутся ${BLIND_PAIRS} ваших ответов для сравнения.`
    : "Откроется, когда будет измерена похожесть.";
  return (
    <Card aria-labelledby="blind-test" className="flex-1">
      <CardHeader id="blind-test" title="Слепой тест" />
      <CardBody>
        <p className="text-md">
          Десять вопросов, на&nbsp;каждый два ответа: ваш и&nbsp;двойника. Узнаете, где&nbsp;вы?
        </p>
        {!ready && <p className="mt-2 text-md text-muted">{condition}</p>}
        {!ready && measured && !lettersAsked ? (
          <MoreLetters twinId={twinId} />
        ) : (
          <Button
            variant={ready ? "primary" : "outline"}
            className="mt-4"
            disabled={readOnly}
            whyNot={ready ? null : condition}
            onClick={() => setOpen(true)}
          >
            Начать тест
          </Button>
        )}
        {last && (
          <div className="mt-5 border-t pt-4">
            <p className="font-semibold text-xl tracking-head">
              Узнали себя в {last.right} из {last.total}
            </p>
            <p className="mt-1 max-w-measure text-md text-muted">{verdictOf(last)}</p>
            <p className="mt-1 text-sm text-subtle">{formatRecent(last.takenAt)}</p>
          </div>
        )}
        {earlier.length > 0 && (
          <details className="mt-3 text-md">
            <summary className="w-fit rounded-sm font-medium text-primary-text">Прежние попытки</summary>
            <ul className="mt-2 flex flex-col gap-1.5">
              {earlier.map(({ takenAt, right, total }) => (
                <li key={takenAt} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
                  <span className="text-muted">{formatRecent(takenAt)}</span>
                  <span>
                    {right} из {total}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
        <Suspense>{open && <BlindTestDialog twinId={twinId} onClose={() => setOpen(false)} />}</Suspense>
      </CardBody>
    </Card>
  );
}
