import type { ComparedReply } from "#contract/quality.ts";
import { Card, CardHeader } from "#web/ui/card.tsx";

/** The twin's replies that are least like the owner's, beside what the owner really wrote. */
export function WorstReplies({ replies }: { replies: readonly ComparedReply[] }) {
  if (replies.length === 0) return null;
  return (
    <Card aria-labelledby="worst">
      <CardHeader
        id="worst"
        title="Где двойник не похож"
        description="Самые непохожие ответы последнего измерения. Исправить такой ответ можно в тестовом чате."
      />
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
          </li>
        ))}
      </ul>
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
