import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { beginsConversation } from "./conversation-order.ts";
import { MessageRow } from "./message-row.tsx";
import { SkeletonRow } from "./message-skeletons.tsx";

/** The next page is requested when this many rows are left below. */
const ROWS_AHEAD = 30;
const ROW_PX = 66;

interface MessageListProps {
  messages: readonly KnowledgeMessage[];
  /** Id of a message to scroll to and to mark; "" is none. */
  marked: string;
  search: string;
  manyTwins: boolean;
  more: { exist: boolean; failed: Error | null; busy: boolean; load: () => void };
}

/** A virtual list that renders only visible rows and loads pages while scrolling. */
export function MessageList({ messages, marked, search, manyTwins, more }: MessageListProps) {
  const region = useRef<HTMLElement>(null);
  const last = more.exist ? 1 : 0;
  const virtual = useVirtualizer({
    count: messages.length + last,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => messages[place]?.id ?? "more",
    overscan: 12,
  });
  const rows = virtual.getVirtualItems();
  const nearEnd = (rows.at(-1)?.index ?? 0) >= messages.length - ROWS_AHEAD;
  const { exist, failed, busy, load } = more;
  useEffect(() => {
    if (exist && nearEnd && !busy && failed === null) load();
  }, [exist, nearEnd, busy, failed, load]);
  const markedRow = messages.findIndex(({ id }) => id === marked);
  useEffect(() => {
    if (markedRow !== -1) virtual.scrollToIndex(markedRow, { align: "center" });
  }, [virtual, markedRow]);

  return (
    <ScrollRegion ref={region} aria-label="Сообщения" aria-busy={busy} className="h-150 thumb-18">
      {/* biome-ignore lint/a11y/useSemanticElements: the rows in sight are drawn out of the flow, which a list's own elements do not survive in every browser */}
      <div role="list" className="relative" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ key, index, start }) => {
          const message = messages[index];
          const begins = message !== undefined && beginsConversation(message, messages[index - 1]);
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={exist ? -1 : messages.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {message ? (
                <>
                  {begins && <ConversationHeading message={message} withTwin={manyTwins} />}
                  <MessageRow message={message} isMarked={message.id === marked} search={search} withTwin={manyTwins} />
                </>
              ) : failed ? (
                <div className="flex flex-wrap items-center justify-center gap-3 px-4 py-5 text-md">
                  <span role="alert">Не удалось загрузить сообщения: {messageOf(failed)}</span>
                  <Button size="sm" onClick={load}>
                    Повторить
                  </Button>
                </div>
              ) : (
                <SkeletonRow />
              )}
            </div>
          );
        })}
      </div>
    </ScrollRegion>
  );
}

/** Rendered inside the row of its first message, because the list counts messages as rows. */
function ConversationHeading({ message, withTwin }: { message: KnowledgeMessage; withTwin: boolean }) {
  const { chatName = "", digitalTwinName } = message;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-sunken px-2 py-1.5">
      <Avatar name={chatName} size="sm" who="contact" />
      <h2 className="min-w-0 flex-1 text-base [overflow-wrap:anywhere]">{chatName}</h2>
      {withTwin && digitalTwinName && <p className="text-muted text-sm max-sm:w-full">{digitalTwinName}</p>}
    </div>
  );
}
