import { Info } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import { type Control, useWatch } from "react-hook-form";
import { classifyPastedLines, type PastedLine } from "#contract/conversations/pasted-lines.ts";
import type { ConversationForm } from "#contract/knowledge/knowledge.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";

const MAX_LINES = 40;

/** Shows who said what in the pasted text, parsed by the same rule as on the server. */
export function ConversationPreview({ control }: { control: Control<ConversationForm> }) {
  const [chatHistory, participantName] = useWatch({ control, name: ["chatHistory", "participantName"] });
  const deferred = useDeferredValue(chatHistory);
  const lines = useMemo(() => classifyPastedLines(deferred), [deferred]);
  if (lines.length === 0) return null;

  const own = lines.filter(({ role }) => role === "assistant").length;
  const hint = hintOf(own, lines.length);
  const other = participantName.trim() || "Собеседник";
  return (
    <section aria-labelledby="conversation-preview" className="min-w-0 rounded-lg border">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-4 py-3">
        <h3 id="conversation-preview" className="text-md">
          Кто есть кто
        </h3>
        <p className="flex flex-wrap gap-x-4 text-sm tabular-nums">
          <span className="text-echo-text">Ваших реплик: {formatNumber(own)}</span>
          <span className="text-muted">Реплик собеседника: {formatNumber(lines.length - own)}</span>
        </p>
      </header>
      <p role="status" className={hint ? "flex gap-2.5 bg-info-soft px-4 py-3 text-info-text text-md" : "sr-only"}>
        {hint && <Info aria-hidden className="icon mt-0.5" />}
        {hint}
      </p>
      <Lines lines={lines} other={other} />
    </section>
  );
}

function Lines({ lines, other }: { lines: PastedLine[]; other: string }) {
  const more = lines.length - MAX_LINES;
  return (
    <ScrollRegion aria-label="Предпросмотр переписки" className="max-h-80 p-4">
      <ol className="flex flex-col gap-2">
        {lines.slice(0, MAX_LINES).map(({ role, content }, place) => (
          <ChatBubble
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the text
            key={place}
            author={role === "assistant" ? "owner" : "contact"}
            authorLabel={role === "assistant" ? "Вы" : other}
          >
            {content}
          </ChatBubble>
        ))}
      </ol>
      {more > 0 && (
        <p className="mt-3 text-center text-sm text-subtle">и ещё {plural(more, ["реплика", "реплики", "реплик"])}</p>
      )}
    </ScrollRegion>
  );
}

function hintOf(own: number, all: number): string {
  if (own === 0) return "Ни одной вашей реплики: двойнику не у кого учиться. Начните свои строки с «Вы:».";
  if (own === all) return "Все реплики ваши: двойнику не видно, на что вы отвечали. Добавьте строки собеседника.";
  return "";
}
