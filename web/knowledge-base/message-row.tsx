import { clsx } from "clsx";
import { lazy, Suspense } from "react";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { PlatformBadge } from "./platform-badge.tsx";
import { TrainingBadge } from "./training-badge.tsx";

const Original = lazy(() =>
  import("#web/parts/chat/media-message.tsx").then(({ Original }) => ({ default: Original })),
);

interface MessageRowProps {
  message: KnowledgeMessage;
  isMarked: boolean;
  search: string;
  withTwin: boolean;
}

/** The author and the text come first; platform, purpose and time are secondary, and at desktop width in a column of their own. */
export function MessageRow({ message, isMarked, search, withTwin }: MessageRowProps) {
  const { platform, content, timestamp, isTrainingData, media } = message;
  return (
    <article
      aria-current={isMarked || undefined}
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-b px-2 py-2.5 md:grid-cols-[8rem_minmax(0,1fr)_17rem]",
        isMarked && "bg-primary-soft",
      )}
    >
      <p className="text-md [overflow-wrap:anywhere]">
        <WhoAndWhere message={message} withTwin={withTwin} />
      </p>
      <div className="max-w-measure max-md:order-1 max-md:col-span-2">
        {media && (
          <Suspense>
            <div className="mb-1 flex flex-col gap-2">
              {media.map((one) => (
                <div key={one.id}>
                  <Original media={one} />
                  {/* Shows what the message's text lacks: the text in a captioned photo, and uncertain readings. */}
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
            <FoundText text={content} search={search} within />
          )}
        </p>
      </div>
      <div className="contents md:block md:text-end">
        <time dateTime={timestamp} className="text-sm text-subtle tabular-nums">
          {momentOf(timestamp)}
        </time>
        <p className="flex flex-wrap gap-1 max-md:order-2 max-md:col-span-2 md:mt-1 md:justify-end">
          <PlatformBadge platform={platform} />
          {isTrainingData && <TrainingBadge />}
        </p>
      </div>
    </article>
  );
}

/** Author of a message; the place is omitted inside a conversation, whose heading names it. */
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

/** An invalid time is shown unchanged. */
const momentOf = (timestamp: string) => (Number.isNaN(Date.parse(timestamp)) ? timestamp : formatMoment(timestamp));
