import { lazy, type ReactNode, Suspense, useEffect, useId, useState } from "react";
import { Link } from "wouter";
import type { ReplySource } from "#contract/conversations.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useChat } from "./chat.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatThread } from "./chat-thread.tsx";

const SourceDialog = lazy(() => import("./source-dialog.tsx"));

interface ChatPanelProps {
  twin: Pick<Twin, "id" | "name" | "status" | "isActive">;
  /** For the button that opens and closes the panel: its `aria-controls`. */
  id?: string;
  className?: string;
}

/** A test chat with one twin. What was said stays with the twin's id in this tab, also while the panel is closed. */
export default function ChatPanel({ twin, id, className }: ChatPanelProps) {
  const { chat, state } = useChat(twin.id);
  const [source, setSource] = useState<ReplySource | null>(null);
  const panel = useId();
  useEscape(state.coming !== null, chat.stop);
  return (
    <section id={id ?? panel} aria-label={`Тест чат: ${twin.name}`} className={className}>
      <TwinNotice twin={twin} />
      <ChatThread twinName={twin.name} state={state} onSource={setSource} onAnswerAgain={chat.answerAgain} />
      <ChatComposer
        draft={state.draft}
        pending={state.coming !== null}
        onDraft={chat.setDraft}
        onSend={chat.send}
        onStop={chat.stop}
      />
      <Announcement answers={state.answers} text={`Двойник «${twin.name}» ответил`} />
      {source && (
        <Suspense>
          <SourceDialog source={source} onClose={() => setSource(null)} />
        </Suspense>
      )}
    </section>
  );
}

/** What keeps the twin from answering well, and where to change that. */
function TwinNotice({ twin }: Pick<ChatPanelProps, "twin">) {
  if (!twin.isActive) {
    return (
      <Notice>
        Агент приостановлен и не отвечает.{" "}
        <Link href={paths.twinSettings(twin.id)} className="font-medium underline">
          Включите его в&nbsp;настройках
        </Link>
      </Notice>
    );
  }
  if (twin.status === "ready") return null;
  return (
    <Notice>
      Двойник ещё учится… Ответы станут точнее, когда появятся документы и&nbsp;переписки.{" "}
      <Link href={paths.trainAi} className="font-medium underline">
        Обучить двойника
      </Link>
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return <p className="bg-warning-soft px-4 py-2.5 text-md text-warning-text md:px-5">{children}</p>;
}

/** Said once per whole answer; the answers that were there when the panel opened are not news. */
function Announcement({ answers, text }: { answers: number; text: string }) {
  const [before] = useState(answers);
  return (
    <p aria-live="polite" className="sr-only">
      {answers > before && <span key={answers}>{text}</span>}
    </p>
  );
}

/** Esc anywhere on the page stops the answer, unless a dialog or an input method took the key. */
function useEscape(enabled: boolean, act: () => void) {
  useEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      act();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [enabled, act]);
}
