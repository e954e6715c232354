import { lazy, Suspense, useEffect, useId, useState } from "react";
import { useSearchParams } from "wouter";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { useEscape } from "#web/ui/escape-key.ts";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { Announcement } from "./answer-announcement.tsx";
import { type Chat, useChat } from "./chat.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatThread } from "./chat-thread.tsx";
import { useKeptTestChat } from "./kept-test-chat.ts";
import { TwinNotice } from "./twin-notice.tsx";

const QuestionsToAsk = lazy(() => import("./questions-to-ask.tsx"));
const LiveSwitch = lazy(() => import("#web/parts/acts/live-switch.tsx"));
const SourceDialog = lazy(() => import("./source-dialog.tsx"));

interface ChatPanelProps {
  twin: Pick<Twin, "id" | "name" | "status" | "isActive" | "ownerId">;
  id?: string;
  className?: string;
}

/** A test chat with one twin. This tab keeps its messages by the twin's id even while the panel is closed. */
export default function ChatPanel({ twin, id, className }: ChatPanelProps) {
  const { chat, state } = useChat({ twinId: twin.id });
  const loading = useKeptTestChat(twin.id, chat, state);
  const [source, setSource] = useState<ReplySource | null>(null);
  const panel = useId();
  const readOnly = useReadOnly();
  const { user } = useSession();
  const asks = readOnly === null && twin.isActive && user?.id === twin.ownerId;
  useEscape(state.coming !== null, chat.stop);
  useAskedByAddress(chat);
  return (
    <section id={id ?? panel} aria-label={`Тест чат: ${twin.name}`} className={className}>
      <TwinNotice twin={twin} />
      <ChatThread
        twinId={twin.id}
        twinName={twin.name}
        state={state}
        empty={
          loading ? (
            <LoadingStatus>Загружаем сообщения...</LoadingStatus>
          ) : (
            <div className="flex flex-col items-center gap-2">
              <Avatar name={twin.name} echo />
              <p>Напишите сообщение, чтобы проверить, как отвечает двойник</p>
              <Suspense>{asks && <QuestionsToAsk twinId={twin.id} onAsk={chat.ask} />}</Suspense>
            </div>
          )
        }
        onSource={setSource}
        onFeedback={chat.setFeedback}
        onAnswerAgain={readOnly === null && twin.isActive ? chat.answerAgain : undefined}
      />
      {readOnly ? (
        <div className="border-t p-4 md:px-5">
          <ReadOnlyNote reason={readOnly} />
        </div>
      ) : (
        <>
          <Suspense>
            <LiveSwitch twin={twin} live={state.live} onChange={chat.setLive} />
          </Suspense>
          <ChatComposer
            draft={state.draft}
            pending={state.coming !== null}
            {...(twin.isActive ? {} : { silent: "Двойник приостановлен" })}
            onDraft={chat.setDraft}
            onSend={chat.send}
            onStop={chat.stop}
          />
        </>
      )}
      <Announcement answers={state.answers} text={`Двойник «${twin.name}» ответил`} />
      {source && (
        <Suspense>
          <SourceDialog source={source} onClose={() => setSource(null)} />
        </Suspense>
      )}
    </section>
  );
}

/** A message that the address brings (`?ask=`) stands in the field once, where nothing was typed. */
function useAskedByAddress(chat: Chat) {
  const [search, setSearch] = useSearchParams();
  const ask = search.get("ask");
  useEffect(() => {
    if (ask === null) return;
    if (chat.state().draft.trim() === "") chat.setDraft(ask);
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("ask");
        return after;
      },
      { replace: true },
    );
  }, [ask, chat, setSearch]);
}
