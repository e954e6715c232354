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
        <WhoAndWhere message={message} withTwin={withTwin} />
        <div className="flex min-w-0 flex-wrap gap-2 max-lg:order-1">
          <PlatformBadge platform={platform} />
          {isTrainingData && <Badge>Обучающие данные</Badge>}
        </div>
        <time dateTime={timestamp} className="shrink-0 text-sm text-subtle tabular-nums">
          {momentOf(timestamp)}
        </time>
        {/* The second line begins here. */}
        <span aria-hidden className="w-full lg:hidden" />
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

/** In a conversation its heading says where. */
function WhoAndWhere({ message, withTwin }: { message: KnowledgeMessage; withTwin: boolean }) {
  const { fromOwner, author, chatName, digitalTwinName } = message;
  const who = author ?? chatName;
  const where = !chatName && withTwin && digitalTwinName;
  return (
    <p className="min-w-0 flex-1 truncate text-sm text-subtle">
      {fromOwner ? <span className="font-medium text-echo-text">Вы</span> : <span className="font-medium">{who}</span>}
      {(fromOwner || who) && where && " · "}
      {where}
    </p>
  );
}

/** An odd time is shown as it came. */
const momentOf = (timestamp: string) => (Number.isNaN(Date.parse(timestamp)) ? timestamp : formatMoment(timestamp));
