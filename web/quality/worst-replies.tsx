import { PencilLine } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ComparedReply } from "#contract/quality.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";

const CorrectionDialog = lazy(() => import("#web/parts/corrections/correction-dialog.tsx"));

interface WorstRepliesProps {
  twinId: string;
  replies: readonly ComparedReply[];
  readOnly: boolean;
}

/** The twin's least similar replies beside the owner's real ones. */
export function WorstReplies({ twinId, replies, readOnly }: WorstRepliesProps) {
  const [corrected, setCorrected] = useState<ComparedReply | null>(null);
  if (replies.length === 0) return null;
  return (
    <Card aria-labelledby="worst">
      <CardHeader id="worst" title="Где двойник не похож" description="Самые непохожие ответы последнего измерения." />
      <ul className="divide-y">
        {replies.map((pair) => (
          <li key={pair.id} className="px-4 py-4 md:px-5">
            <p className="max-w-measure text-md text-muted [overflow-wrap:anywhere]">
              {pair.contactName}: {pair.incoming}
            </p>
            <dl className="mt-2 grid gap-3 sm:grid-cols-2">
              <Reply name="Вы" text={pair.ownerReply} />
              <Reply name="Двойник" text={pair.twinReply} />
            </dl>
            <Button
              variant="ghost"
              size="sm"
              className="-ms-2 mt-2 px-2! text-muted!"
              disabled={readOnly}
              onClick={() => setCorrected(pair)}
            >
              <PencilLine aria-hidden className="icon" />
              Исправить ответ
            </Button>
          </li>
        ))}
      </ul>
      <Suspense>
        {corrected && (
          <CorrectionDialog
            correction={corrected.ownerReply}
            from={{ kind: "example", id: corrected.id }}
            twinId={twinId}
            onClose={() => setCorrected(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}

function Reply({ name, text }: { name: string; text: string }) {
  return (
    <div className="rounded-lg border p-3">
      <dt className="text-sm text-subtle">{name}</dt>
      <dd className="mt-0.5 whitespace-pre-line text-md [overflow-wrap:anywhere]">{text}</dd>
    </div>
  );
}
