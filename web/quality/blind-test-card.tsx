import { lazy, type ReactNode, Suspense, useState } from "react";
import type { TwinQuality } from "#contract/quality.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { verdictOf } from "./blind-test-verdict.ts";
import { MoreLetters } from "./more-letters.tsx";

const BlindTestDialog = lazy(() => import("./blind-test-dialog.tsx"));

interface BlindTestCardProps {
  twinId: string;
  /** The newest first. */
  tests: TwinQuality["blindTests"];
  ready: boolean;
  readOnly: boolean;
  /** Whether another part of the page says that letters are lacking, and leads to them: then this one does not repeat it. */
  lettersAsked: boolean;
}

/** What the blind test is, how the last ones ended, and its start. */
export function BlindTestCard({ twinId, tests, ready, readOnly, lettersAsked }: BlindTestCardProps) {
  const [open, setOpen] = useState(false);
  const [last, ...earlier] = tests;
  return (
    <Frame ready={ready}>
      <p className="max-w-measure text-md">
        Десять сообщений от&nbsp;ваших собеседников. На&nbsp;каждое два ответа: ваш настоящий и&nbsp;ответ двойника.
        Узнаете, где&nbsp;вы?
      </p>
      {ready ? (
        <Button variant="primary" className="mt-4" disabled={readOnly} onClick={() => setOpen(true)}>
          Начать тест
        </Button>
      ) : (
        <>
          <p className="mt-3 max-w-measure text-md text-muted">
            Тест откроется, когда будет измерена похожесть и&nbsp;найдётся хотя&nbsp;бы десять ваших ответов
            для&nbsp;сравнения.
          </p>
          {!lettersAsked && <MoreLetters twinId={twinId} />}
        </>
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
    </Frame>
  );
}

/** A test that can be taken is a thing; one that cannot yet is only told of. */
function Frame({ ready, children }: { ready: boolean; children: ReactNode }) {
  const heading = { id: "blind-test", title: "Слепой тест" };
  if (!ready) return <PaperSection {...heading}>{children}</PaperSection>;
  return (
    <Card aria-labelledby={heading.id}>
      <CardHeader {...heading} />
      <CardBody>{children}</CardBody>
    </Card>
  );
}
