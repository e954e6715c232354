import { PencilLine } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ComparedReply } from "#contract/quality.ts";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

const CorrectionDialog = lazy(() => import("#web/parts/corrections/correction-dialog.tsx"));

interface WorstRepliesProps {
  twinId: string;
  replies: readonly ComparedReply[];
  readOnly: boolean;
}

export function WorstReplies({ twinId, replies, readOnly }: WorstRepliesProps) {
  const [corrected, setCorrected] = useState<ComparedReply | null>(null);
  if (replies.length === 0) return null;
  return (
    <PaperSection id="worst" title="Где двойник не похож" description="Самые непохожие ответы последнего измерения.">
      <ul className="divide-y border-t">
        {replies.map((pair) => (
          <li key={pair.id} className="py-4">
            <p className="max-w-measure text-md text-muted [overflow-wrap:anywhere]">
              {pair.contactName}: {pair.incoming}
            </p>
            <dl className="mt-2 grid gap-3 sm:grid-cols-2">
              <Reply name="Вы" look="bg-echo-soft" text={pair.ownerReply} />
              <Reply name="Двойник" look="bg-primary-soft" text={pair.twinReply} />
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
    </PaperSection>
  );
}

/** Copper is the owner, patina the twin, as in every chat. */
function Reply({ name, look, text }: { name: string; look: string; text: string }) {
  return (
    <div className={`rounded-lg p-3 ${look}`}>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-0.5 whitespace-pre-line text-md [overflow-wrap:anywhere]">{text}</dd>
    </div>
  );
}
