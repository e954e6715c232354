import { clsx } from "clsx";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Feedback, ReplySource } from "#contract/conversations/conversations.ts";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble, TypingDots } from "#web/ui/chat-bubble.tsx";
import type { ChatState, ChatTurn } from "./chat.ts";
import { ChatMessage, type ChatMessageProps, MessageText } from "./chat-message.tsx";
import { placesOf } from "./runs.ts";

/** Distance from the end, in pixels, that still counts as being at the end. */
const END_TOLERANCE_PX = 24;

const FOUND_MS = 2500;

interface ChatThreadProps {
  /** Present where answers may be corrected so that this twin learns from them. */
  twinId?: string;
  twinName: string;
  contactName?: string;
  state: Pick<ChatState, "turns" | "coming">;
  /** Whether the thread is a whole screen: it fills its container, shows days and times, and groups an author's consecutive messages. */
  fill?: boolean;
  /** The message that the user searched for: the thread scrolls to it and highlights it briefly. */
  found?: ChatTurn | undefined;
  /** Placeholder of the thread while it has no messages. */
  empty?: ReactNode;
  /** Component below an answer, in place of the citations whose chips `onSource` opens. */
  Citations?: ChatMessageProps["Citations"];
  onSource?: (source: ReplySource) => void;
  onFeedback: (turnId: number, feedback: Feedback | null) => void;
  /** Whether the last message is shown from its beginning, because something below that answers it leaves little room. */
  fromBeginning?: boolean;
  /** See `ChatMessageProps`. */
  letters?: boolean;
  /** When absent, the last answer cannot be requested again. */
  onAnswerAgain?: (() => void) | undefined;
}

/** The last answer, or a question whose answer was interrupted. */
const mayRepeat = ({ role, state }: ChatTurn): boolean => role === "assistant" || state === "interrupted";

/** The list of messages. It scrolls with a growing answer only while the reader is at the end. */
export function ChatThread(props: ChatThreadProps) {
  const {
    twinId,
    twinName,
    contactName,
    state,
    fill = false,
    found,
    Citations,
    onSource,
    onFeedback,
    onAnswerAgain,
    letters = false,
    fromBeginning = false,
  } = props;
  const { empty } = props;
  const { turns, coming } = state;
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const lastTop = useRef(0);
  const lastRoom = useRef(0);
  /** The content became shorter, so the browser moved the thread: the next scroll event is not the reader's. */
  const clamped = useRef(false);
  const [showsReturn, setShowsReturn] = useState(false);
  const lastOwn = turns.findLast(({ role }) => role === "user")?.id;

  /**
   * Where the thread rests at its end: at its last line, or at the beginning of its last message where there is no room for
   * all of it.
   */
  const endOf = (here: HTMLElement) => {
    const end = here.scrollHeight - here.clientHeight;
    const last = !fromBeginning ? null : here.querySelector(":scope > ol > :last-child");
    if (!last) return end;
    // The date above a message gives its room to the words.
    const day = last.querySelector("[data-day]");
    const began = day?.getBoundingClientRect().bottom ?? last.getBoundingClientRect().top;
    const top = began - here.getBoundingClientRect().top + here.scrollTop;
    return Math.min(end, Math.floor(top));
  };

  function scrollToEnd() {
    // Who has read on below the beginning of the last message stays there.
    if (box.current) box.current.scrollTop = Math.max(box.current.scrollTop, endOf(box.current));
    atEnd.current = true;
    setShowsReturn(false);
  }

  const nothing = turns.length === 0 && coming === null;
  // Elements above or below the thread, such as a draft, change its height, and messages grow when their media have loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first message replaces the observed element
  useEffect(() => {
    const here = box.current;
    if (!here) return;
    const observer = new ResizeObserver(() => {
      const room = here.scrollHeight - here.clientHeight;
      clamped.current = atEnd.current && room < lastRoom.current;
      // The browser's own scroll event may have come before: then the next one is the reader's.
      if (clamped.current) requestAnimationFrame(() => (clamped.current = false));
      lastRoom.current = room;
      if (atEnd.current) here.scrollTop = Math.max(here.scrollTop, endOf(here));
    });
    observer.observe(here);
    if (here.firstElementChild) observer.observe(here.firstElementChild);
    return () => observer.disconnect();
  }, [nothing, fromBeginning]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when what is below has come
  useLayoutEffect(() => {
    if (fromBeginning && atEnd.current && box.current) box.current.scrollTop = endOf(box.current);
  }, [fromBeginning]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new on the thread may have moved its end
  useLayoutEffect(() => {
    if (atEnd.current) scrollToEnd();
  }, [turns, coming]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who sends a message wants to see it
  useLayoutEffect(scrollToEnd, [lastOwn]);

  const foundAt = found === undefined ? -1 : turns.indexOf(found);
  const foundId = found?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: its place moves with each message, and is shown once
  useLayoutEffect(() => {
    const item = foundId === undefined ? undefined : box.current?.querySelector("ol")?.children[foundAt];
    if (!item) return;
    atEnd.current = false;
    item.scrollIntoView({ block: "center" });
    item.animate?.({ backgroundColor: ["var(--warning-soft)", "var(--warning-soft)", "transparent"] }, FOUND_MS);
  }, [foundId]);

  const places = useMemo(() => (fill ? placesOf(turns) : []), [fill, turns]);
  const lastAnswer = coming === null ? turns.findLast(({ role }) => role === "assistant")?.id : undefined;
  return (
    <div className={clsx("relative", fill && "min-h-24 flex-1")}>
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label="Сообщения"
        aria-busy={coming !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          const { scrollTop } = currentTarget;
          // An end that has moved away was not left.
          const stays = atEnd.current && (scrollTop >= lastTop.current || clamped.current);
          clamped.current = false;
          atEnd.current = stays || endOf(currentTarget) - scrollTop <= END_TOLERANCE_PX;
          lastTop.current = scrollTop;
          setShowsReturn(!atEnd.current);
        }}
        className={clsx(
          "overflow-y-auto overscroll-contain px-4 pb-4 focus-visible:outline-offset-[-2px] md:px-5",
          fill ? "h-full" : nothing ? "h-56" : "pt-1 h-[clamp(14rem,50dvh,26rem)]",
        )}
      >
        {nothing ? (
          <div className="grid h-full place-items-center text-balance text-center text-md text-muted">{empty}</div>
        ) : (
          <ol className="flex flex-col gap-1">
            {turns.map((turn, at) => (
              <ChatMessage
                key={turn.id}
                found={turn.id === foundId}
                turn={turn}
                twinId={twinId}
                twinName={twinName}
                contactName={contactName}
                showTime={fill}
                letters={letters}
                {...places[at]}
                Citations={Citations}
                onSource={onSource}
                onFeedback={onFeedback}
                past={fill && turn.id !== lastAnswer}
                {...(onAnswerAgain && coming === null && turn === turns.at(-1) && mayRepeat(turn)
                  ? { onAnswerAgain }
                  : {})}
              />
            ))}
            {coming !== null && (
              <ChatBubble author="twin" authorLabel={twinName} atEnd={contactName !== undefined} className="mt-3">
                {coming === "" ? <TypingDots /> : <MessageText text={coming} />}
              </ChatBubble>
            )}
          </ol>
        )}
      </div>
      {showsReturn && (
        <Button
          size="sm"
          onClick={scrollToEnd}
          className="absolute! bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-2"
        >
          <ArrowDown aria-hidden className="icon" />К последнему
        </Button>
      )}
    </div>
  );
}
