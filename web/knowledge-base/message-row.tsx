import { clsx } from "clsx";
import { lazy, Suspense } from "react";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment, formatTime } from "#web/i18n/format.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { PlatformBadge, platformTitle } from "./platform-badge.tsx";
import { TrainingBadge } from "./training-badge.tsx";

const Original = lazy(() =>
  import("#web/parts/chat/media-message.tsx").then(({ Original }) => ({ default: Original })),
);

/** A longer text is cut until it is asked for. */
const MAX_PREVIEW_CHARS = 500;

interface MessageRowProps {
  message: KnowledgeMessage;
  search: string;
  withTwin: boolean;
  /** What the conversation's heading or the row before has said already: here it is only heard. */
  said: { platform: boolean; training: boolean; day: boolean };
  whole: boolean;
  onToggle: () => void;
}

/** Who, what and when, side by side; on a phone who and when stand over it. */
export function MessageRow({ message, search, withTwin, said, whole, onToggle }: MessageRowProps) {
  const { platform, content, timestamp, isTrainingData, media } = message;
  const long = content.length > MAX_PREVIEW_CHARS;
  const text = long && !whole ? `${content.slice(0, MAX_PREVIEW_CHARS).trimEnd()}…` : content;
  const badged = isTrainingData && !said.training;
  return (
    <article className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b px-2 py-2">
      <div className="flex w-full items-baseline justify-between gap-x-4 md:contents">
        <p className={clsx("min-w-0 truncate text-sm text-subtle", said.platform && "sm:w-32")}>
          <WhoAndWhere message={message} withTwin={withTwin} />
          {said.platform && <span className="sr-only"> {platformTitle(platform)}</span>}
          {said.training && <span className="sr-only"> Обучающие данные</span>}
        </p>
        <time
          dateTime={timestamp}
          title={momentOf(timestamp)}
          className="shrink-0 text-sm text-subtle tabular-nums md:order-last"
        >
          {said.day ? formatTime(timestamp) : momentOf(timestamp)}
        </time>
      </div>
      <div className="min-w-0 flex-1">
        {(!said.platform || badged) && (
          <div className="mb-1 flex flex-wrap gap-2">
            {!said.platform && <PlatformBadge platform={platform} />}
            {badged && <TrainingBadge />}
          </div>
        )}
        {media && (
          <Suspense>
            <div className="mb-1 flex flex-col gap-2">
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
        <p className="whitespace-pre-line text-md [overflow-wrap:anywhere]">
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
      </div>
    </article>
  );
}

/** In a conversation its heading says where. */
function WhoAndWhere({ message, withTwin }: { message: KnowledgeMessage; withTwin: boolean }) {
  const { fromOwner, author, chatName, digitalTwinName } = message;
  const who = author ?? chatName;
  const where = !chatName && withTwin && digitalTwinName;
  return (
    <>
      {fromOwner ? <span className="font-medium text-echo-text">Вы</span> : <span className="font-medium">{who}</span>}
      {(fromOwner || who) && where && " · "}
      {where}
    </>
  );
}

/** An odd time is shown as it came. */
const momentOf = (timestamp: string) => (Number.isNaN(Date.parse(timestamp)) ? timestamp : formatMoment(timestamp));
