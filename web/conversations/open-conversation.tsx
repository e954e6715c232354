import { lazy, Suspense, useEffect, useState } from "react";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ConversationThread, SampleThread } from "./conversation-thread.tsx";
import { ConversationDetails } from "./details/conversation-details.tsx";
import { useConversation } from "./queries.ts";
import type { ShownConversation } from "./shown-conversation.ts";

const DetailsSheet = lazy(() => import("./details/details-sheet.tsx"));

interface OpenConversationProps {
  id: string;
  known: ShownConversation | undefined;
  isSample: boolean;
  messageId: string | null;
  /** Called once when the conversation is a test chat of the owner. */
  onTestChat: () => void;
  onLatest: () => void;
  onLeave: () => void;
  onRemoved: () => void;
}

/** The conversation in the address: its thread, and its details beside it or in a sheet. */
export default function OpenConversation(props: OpenConversationProps) {
  const { id, known, isSample, messageId, onTestChat, onLatest, onLeave, onRemoved } = props;
  const alone = useConversation(id, known === undefined && !isSample);
  const [detailed, setDetailed] = useState(false);
  const conversation = known ?? alone.data;
  const isTest = conversation?.platform === "test" && !isSample;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a user who then switches to another tab stays there
  useEffect(() => {
    if (isTest) onTestChat();
  }, [isTest]);
  if (!conversation) {
    if (!isSample && alone.isPending) return <LoadingStatus>Загружаем диалог...</LoadingStatus>;
    const gone = isSample || (alone.error instanceof ApiError && [400, 404].includes(alone.error.status));
    return gone ? (
      <EmptyState
        className="justify-center"
        title="Диалог не найден"
        action={<Button onClick={onLeave}>К списку диалогов</Button>}
      />
    ) : (
      <ErrorCard
        className="justify-center rounded-none! border-0!"
        title="Не удалось загрузить диалог"
        error={alone.error}
        onRetry={() => void alone.refetch()}
      />
    );
  }
  const Thread = isSample ? SampleThread : ConversationThread;
  const details = <ConversationDetails conversation={conversation} isSample={isSample} onRemoved={onRemoved} />;
  return (
    <div className="grid min-h-0 grid-cols-1 grid-rows-1 xl:grid-cols-[minmax(0,1fr)_16rem]">
      <Thread
        conversation={conversation}
        messageId={messageId}
        onLatest={onLatest}
        onLeave={onLeave}
        onDetails={() => setDetailed(true)}
      />
      <aside aria-label="О диалоге" className="min-h-0 overflow-y-auto border-s max-xl:hidden">
        {details}
      </aside>
      {detailed && (
        <Suspense>
          <DetailsSheet onClose={() => setDetailed(false)}>{details}</DetailsSheet>
        </Suspense>
      )}
    </div>
  );
}
