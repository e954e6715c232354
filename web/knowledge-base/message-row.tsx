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
  search: string;
  withTwin: boolean;
}

/** Author, place, whether the twin learns from it, and time, above the message's text. */
export function MessageRow({ message, search, withTwin }: MessageRowProps) {
  const { platform, content, timestamp, isTrainingData, media } = message;
  return (
    <article className="flex flex-col gap-1 border-b px-2 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-subtle">
        <p className="min-w-0 [overflow-wrap:anywhere] sm:min-w-28">
          <WhoAndWhere message={message} withTwin={withTwin} />
        </p>
        <PlatformBadge platform={platform} />
        {isTrainingData && <TrainingBadge />}
        <time dateTime={timestamp} className="tabular-nums sm:ms-auto">
          {momentOf(timestamp)}
        </time>
      </div>
      <div className="min-w-0 max-w-measure">
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
