import { ArrowLeft, PanelRight } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "#web/api/api-error.ts";
import { Announcement } from "#web/parts/chat/answer-announcement.tsx";
import { useChat } from "#web/parts/chat/chat.ts";
import { ChatComposer } from "#web/parts/chat/chat-composer.tsx";
import { ChatThread } from "#web/parts/chat/chat-thread.tsx";
import { turnsOf, turnWith } from "#web/parts/chat/transcript.ts";
import { TwinNotice } from "#web/parts/chat/twin-notice.tsx";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { useEscape } from "#web/ui/escape-key.ts";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { isDesktop, useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { useAnswers } from "./approval/approval-queries.ts";
import { DraftPanel } from "./approval/draft-panel.tsx";
import { ConversationBadge } from "./conversation-badge.tsx";
import { InlineCitations } from "./inline-sources.tsx";
import { OwnerComposer } from "./owner-composer.tsx";
import { useMarkRead, useTranscript, useTranscriptAround, useUpdateConversation } from "./queries.ts";
import { sampleTurns } from "./samples.ts";
import { hasReturned, type ShownConversation } from "./shown-conversation.ts";
import { TakeOver } from "./take-over.tsx";
import { ThreadMenu } from "./thread-menu.tsx";
import { useTimeLeft } from "./time-left.ts";
import { ThreadActs, ThreadState } from "./triage/thread-acts.tsx";

const LiveSwitch = lazy(() => import("#web/parts/acts/live-switch.tsx"));

interface ConversationThreadProps {
  conversation: ShownConversation;
  /** Id of the message that is shown first; null shows the end. */
  messageId: string | null;
  onLatest: () => void;
  onLeave: () => void;
  onDetails: () => void;
}

export function ConversationThread(props: ConversationThreadProps) {
  const { conversation, messageId, onLatest, onLeave, onDetails } = props;
  const { id, twinId = "", twinName, isActive } = conversation;
  const { chat, state } = useChat({ twinId, conversationId: id });
  const transcript = useTranscript(id);
  const { data: stored, dataUpdatedAt: readAt } = transcript;
  const twin = useTwins().data?.find((one) => one.id === twinId);
  const readOnly = useReadOnly(conversation.lead ? twin : undefined);
  const drafted = (useAnswers(id, conversation.lead !== undefined).data?.length ?? 0) > 0;
  const [rewording, setRewording] = useState(false);
  const paused = twin?.isActive === false;
  const { mutate: markRead } = useMarkRead(id);
  const unread = (conversation.unread > 0 || hasReturned(conversation)) && !readOnly;
  useEffect(() => {
    if (unread) markRead();
  }, [unread, markRead]);

  useLayoutEffect(() => {
    if (stored) chat.restore(turnsOf(stored), readAt);
  }, [stored, readAt, chat]);
  useEscape(true, ({ target }) => {
    if (state.coming !== null) chat.stop();
    else if (!(target instanceof HTMLInputElement && target.type === "search")) onLeave();
  });

  const older = messageId !== null && stored !== undefined && !stored.some((message) => message.id === messageId);
  const around = useTranscriptAround(id, messageId ?? "", older);
  const shownAround = older && around.data?.some((message) => message.id === messageId);
  const turns = useMemo(
    () => (shownAround && around.data ? turnsOf(around.data) : state.turns),
    [shownAround, around.data, state.turns],
  );

  const unknown = state.turns.length === 0 && state.coming === null && stored === undefined;
  return (
    <Frame conversation={conversation} leads={!readOnly} onLeave={onLeave} onDetails={onDetails}>
      {twin && isActive && <TwinNotice twin={twin} compact />}
      {unknown && transcript.error ? (
        <Missing error={transcript.error} onRetry={() => void transcript.refetch()} onLeave={onLeave} />
      ) : unknown || (older && around.isPending) ? (
        <LoadingStatus className="flex-1">Загружаем сообщения...</LoadingStatus>
      ) : (
        <ChatThread
          fill
          twinId={twinId}
          twinName={twinName}
          {...(conversation.lead ? { contactName: conversation.participantName } : {})}
          state={shownAround ? { turns, coming: null } : state}
          found={messageId === null ? undefined : turnWith(turns, messageId)}
          letters={conversation.platform === "email"}
          fromBeginning={drafted}
          empty="Напишите первое сообщение: двойник ответит здесь же"
          Citations={InlineCitations}
          onFeedback={chat.setFeedback}
          onAnswerAgain={
            isActive && !readOnly && !conversation.lead && !paused && !shownAround ? chat.answerAgain : undefined
          }
        />
      )}
      {shownAround && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t bg-sunken px-4 py-1.5 md:px-5">
          <p className="text-muted text-sm">Показаны сообщения вокруг найденного</p>
          <Button size="sm" onClick={onLatest}>
            К последним
          </Button>
        </div>
      )}
      {conversation.lead && (
        <DraftPanel conversationId={id} twinName={twinName} may={!readOnly} onRewording={setRewording} />
      )}
      {readOnly ? (
        <div className="border-t p-4 md:px-5">
          <ReadOnlyNote reason={readOnly} />
        </div>
      ) : isActive && conversation.lead ? (
        // While a draft is reworded there is one field, so that the question stays in sight above it.
        <div hidden={rewording}>
          <OwnerComposer conversation={conversation} takesFocus={isDesktop()} />
        </div>
      ) : isActive ? (
        <>
          {twin && (
            <Suspense>
              <LiveSwitch twin={twin} live={state.live} onChange={chat.setLive} />
            </Suspense>
          )}
          <ChatComposer
            draft={state.draft}
            pending={state.coming !== null}
            takesFocus={isDesktop()}
            {...(paused ? { silent: "Двойник приостановлен" } : {})}
            onDraft={chat.setDraft}
            onSend={chat.send}
            onStop={chat.stop}
          />
        </>
      ) : (
        <ClosedNote id={id} />
      )}
      <Announcement answers={state.answers} text={`Двойник «${twinName}» ответил`} />
    </Frame>
  );
}

export function SampleThread({
  conversation,
  onLeave,
  onDetails,
}: Omit<ConversationThreadProps, "messageId" | "onLatest">) {
  useEscape(true, onLeave);
  return (
    <Frame conversation={conversation} onLeave={onLeave} onDetails={onDetails}>
      <ChatThread
        fill
        twinName={conversation.twinName}
        contactName={conversation.participantName}
        state={{ turns: sampleTurns(conversation), coming: null }}
        onFeedback={() => {}}
      />
      <p className="flex items-center gap-2 border-t p-4 text-md text-muted">
        <SampleBadge />
        Так выглядит переписка двойника с&nbsp;собеседником
      </p>
    </Frame>
  );
}

type FrameProps = Pick<ConversationThreadProps, "conversation" | "onLeave" | "onDetails"> & {
  leads?: boolean;
  children: ReactNode;
};

function Frame({ conversation, leads = false, onLeave, onDetails, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Where the thread replaces the list, or nothing can be written, the heading takes the focus to announce the conversation.
  useEffect(() => {
    if (!isDesktop() || !conversation.isActive) heading.current?.focus({ preventScroll: true });
  }, [conversation.isActive]);
  const led = useTimeLeft(conversation.pausedUntil) !== null;
  const atDesk = useIsDesktop();
  const mayLead = leads && conversation.lead !== undefined && conversation.isActive;
  return (
    <section aria-label={`Диалог: ${conversation.participantName}`} className="flex min-h-0 min-w-0 flex-col">
      <header className="@container flex min-h-14 items-center gap-2 border-b px-2 py-1.5 md:px-4">
        <Button variant="ghost" size="icon" className="lg:hidden" aria-label="К списку диалогов" onClick={onLeave}>
          <ArrowLeft aria-hidden className="icon" />
        </Button>
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="truncate text-base focus:outline-none">
            {conversation.participantName}
          </h2>
          <div className="flex min-w-0 items-center gap-2 text-muted text-sm">
            <p className="truncate">
              {conversation.platform === "test" && <>Тестовый чат · </>}
              {conversation.twinName}
            </p>
            {/* During a takeover the bar above the field says so; «Активен» would describe the twin. */}
            {!led && <ConversationBadge isActive={conversation.isActive} />}
          </div>
        </div>
        {atDesk ? (
          <>
            {mayLead && <TakeOver conversation={conversation} />}
            <ThreadActs conversation={conversation} />
            {/* Three columns would leave none of them room enough. */}
            <Button variant="ghost" size="icon" className="xl:hidden" aria-label="О диалоге" onClick={onDetails}>
              <PanelRight aria-hidden className="icon" />
            </Button>
          </>
        ) : (
          <ThreadMenu conversation={conversation} leads={mayLead} onDetails={onDetails} />
        )}
      </header>
      <ThreadState conversation={conversation} />
      {children}
    </section>
  );
}

function Missing({ error, onRetry, onLeave }: { error: unknown; onRetry: () => void; onLeave: () => void }) {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        className="flex-1 justify-center"
        title="Диалог не найден"
        action={<Button onClick={onLeave}>К списку диалогов</Button>}
      />
    );
  }
  return (
    <ErrorCard
      className="m-4 flex-1 justify-center border-0"
      title="Не удалось загрузить сообщения"
      error={error}
      onRetry={onRetry}
    />
  );
}

function ClosedNote({ id }: { id: string }) {
  const update = useUpdateConversation(id);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t p-4 md:px-5">
      <p className="text-md text-muted">Диалог закрыт: двойник в&nbsp;нём не&nbsp;отвечает</p>
      <Button
        busy={update.isPending}
        onClick={() =>
          update.mutate(
            { status: "active" },
            {
              onSuccess: () => toast({ title: "Диалог снова открыт" }),
              onError: toastError("Не удалось открыть диалог"),
            },
          )
        }
      >
        Открыть снова
      </Button>
    </div>
  );
}
