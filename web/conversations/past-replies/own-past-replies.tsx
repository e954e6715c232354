import { useEffect, useId, useRef } from "react";
import type { PastReply } from "#contract/conversations/approvals.ts";
import { PastReplyList } from "./past-replies.tsx";
import { useRepliesToContact } from "./queries.ts";

interface OwnPastRepliesProps {
  conversationId: string;
  onTake: (reply: PastReply) => void;
}

/** Above the reply field during a takeover: the owner's past replies to messages similar to the contact's last one. */
export function OwnPastReplies({ conversationId, onTake }: OwnPastRepliesProps) {
  const { data: replies = [] } = useRepliesToContact(conversationId);
  const heading = useId();
  useAltDigits((place) => {
    const reply = replies[place];
    if (reply) onTake(reply);
    return reply !== undefined;
  });
  if (replies.length === 0) return null;
  return (
    <section
      aria-labelledby={heading}
      className="max-h-[30%] shrink-0 overflow-y-auto border-t bg-sunken px-4 py-3 md:px-5"
    >
      <h3 id={heading} className="font-medium text-md">
        Как вы отвечали раньше
      </h3>
      <PastReplyList replies={replies} keyPrefix="Alt+" onTake={onTake} />
    </section>
  );
}

/** Handles Alt with 1, 2 or 3, which also works in the field, where a digit alone is text. */
function useAltDigits(take: (place: number) => boolean) {
  // The listener is registered once and always calls the handler of the latest render.
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const digit = /^Digit([1-3])$/.exec(event.code)?.[1];
      if (digit === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if ((event.target as Element).closest?.("[role=dialog], [role=alertdialog]")) return;
      if (latest.current(Number(digit) - 1)) event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
