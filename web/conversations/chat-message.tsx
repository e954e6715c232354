import { Check, Copy, RotateCcw } from "lucide-react";
import { lazy, memo, Suspense, useEffect, useState } from "react";
import type { ReplySource } from "#contract/conversations.ts";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { toast } from "#web/ui/toast.ts";
import type { ChatTurn } from "./chat.ts";
import { ReplyGrounds } from "./reply-grounds.tsx";

const Markdown = lazy(() => import("./markdown.tsx"));

/** A twin's text with its marks drawn; plain until the code for that has come. */
export function MessageText({ text }: { text: string }) {
  return (
    <Suspense fallback={text}>
      <Markdown text={text} />
    </Suspense>
  );
}

interface ChatMessageProps {
  turn: ChatTurn;
  twinName: string;
  onSource: (source: ReplySource) => void;
  /** Given for the last answer only. */
  onAnswerAgain?: () => void;
}

export const ChatMessage = memo(function ChatMessage({ turn, twinName, onSource, onAnswerAgain }: ChatMessageProps) {
  if (turn.role === "user") {
    return (
      <ChatBubble
        author="owner"
        authorLabel="Вы"
        footer={turn.state === "failed" && <p className="text-danger-text">Без ответа: {turn.problem}</p>}
      >
        {turn.content}
      </ChatBubble>
    );
  }
  return (
    <ChatBubble
      author="twin"
      authorLabel={twinName}
      footer={
        <div className="flex min-w-0 max-w-measure flex-col gap-1.5">
          {turn.state === "stopped" && <p>Ответ остановлен</p>}
          {turn.state === "failed" && <p className="text-danger-text">Ответ оборвался</p>}
          {turn.reply && <ReplyGrounds reply={turn.reply} onSource={onSource} />}
          <div className="-ms-2 flex flex-wrap gap-1">
            <CopyButton text={turn.content} />
            {onAnswerAgain && turn.state !== "failed" && (
              <Button variant="ghost" size="sm" className="px-2! text-muted!" onClick={onAnswerAgain}>
                <RotateCcw aria-hidden className="icon" />
                Ответить заново
              </Button>
            )}
          </div>
        </div>
      }
    >
      <MessageText text={turn.content} />
    </ChatBubble>
  );
});

const COPIED_MS = 2000;

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast({ title: "Не удалось скопировать", description: "Выделите текст ответа вручную", variant: "destructive" });
    }
  }

  return (
    <Button variant="ghost" size="sm" className="px-2! text-muted!" onClick={() => void copy()}>
      {copied ? <Check aria-hidden className="icon" /> : <Copy aria-hidden className="icon" />}
      {copied ? "Скопировано" : "Копировать"}
    </Button>
  );
}
