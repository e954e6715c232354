import { lazy, Suspense } from "react";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { FoundText } from "#web/ui/found-text.tsx";
import { PlatformBadge } from "./platform-badge.tsx";

const Original = lazy(() =>
  import("#web/parts/chat/media-message.tsx").then(({ Original }) => ({ default: Original })),
);

/** A longer text is cut until it is asked for. */
const MAX_PREVIEW_CHARS = 500;

interface MessageRowProps {
  message: KnowledgeMessage;
  search: string;
  withTwin: boolean;
  whole: boolean;
  onToggle: () => void;
}

export function MessageRow({ message, search, withTwin, whole, onToggle }: MessageRowProps) {
  const { platform, content, timestamp, isTrainingData, media } = message;
  const long = content.length > MAX_PREVIEW_CHARS;
  const text = long && !whole ? `${content.slice(0, MAX_PREVIEW_CHARS).trimEnd()}…` : content;
  return (
    <article className="border-b px-2 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <PlatformBadge platform={platform} />
        {isTrainingData && <Badge tone="primary">Обучающие данные</Badge>}
        <WhoAndWhere message={message} withTwin={withTwin} />
        <time dateTime={timestamp} className="shrink-0 text-sm text-subtle tabular-nums max-sm:w-full sm:ms-auto">
          {momentOf(timestamp)}
        </time>
      </div>
      {media && (
        <Suspense>
          <div className="mt-1.5 flex flex-col gap-2">
            {media.map((one) => (
              <div key={one.id}>
                <Original media={one} />
                {/* What the message itself does not say: a photo's text beside its caption, and what is unsure. */}
                {!content.includes(one.text) && (
                  <p className="whitespace-pre-line text-sm text-subtle [overflow-wrap:anywhere]">{one.text}</p>
                )}
              </div>
            ))}
          </div>
        </Suspense>
      )}
      <p className="mt-1.5 whitespace-pre-line text-md [overflow-wrap:anywhere]">
        {content === "" ? (
          !media && <span className="text-subtle">Сообщение без текста</span>
        ) : (
          <FoundText text={text} search={search} within />
        )}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={onToggle}
          className="mt-1 rounded-sm font-medium text-primary-text text-sm hover:underline"
        >
          {whole ? "Свернуть" : "Показать целиком"}
        </button>
      )}
    </article>
  );
}

function WhoAndWhere({ message, withTwin }: { message: KnowledgeMessage; withTwin: boolean }) {
  const { fromOwner, author, chatName, digitalTwinName } = message;
  const where = [chatName !== author && chatName, withTwin && digitalTwinName].filter(Boolean).join(" · ");
  if (!fromOwner && !author && !where) return null;
  return (
    <p className="min-w-0 truncate text-sm text-subtle max-sm:w-full">
      {fromOwner ? <span className="text-echo-text">Вы</span> : author}
      {(fromOwner || author) && where && " · "}
      {where}
    </p>
  );
}

/** An odd time is shown as it came. */
const momentOf = (timestamp: string) => (Number.isNaN(Date.parse(timestamp)) ? timestamp : formatMoment(timestamp));
