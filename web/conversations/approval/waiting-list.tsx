import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import type { Act } from "#contract/actions/acts.ts";
import type { Approval } from "#contract/conversations/approvals.ts";
import { useOpenActs } from "#web/parts/acts/queries.ts";
import { usePolling } from "#web/parts/live/live.ts";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import type { ConversationAddress } from "../conversation-address.ts";
import { ApprovalsList } from "./approvals-list.tsx";
import { DecidedAct } from "./decided-act.tsx";

/** The stream tells of conversations; an act whose customer wrote nothing may begin to wait, or be lost, without one. */
const ACTS_POLL_MS = 15_000;

interface WaitingListProps {
  address: ConversationAddress;
  approvals: readonly Approval[];
  /** In place of an empty list. */
  nothing: ReactNode;
  onOpenConversation: (id: string) => void;
}

/** What waits for the owner: acts of twins, and answers. */
export default function WaitingList({ address, approvals, nothing, onOpenConversation }: WaitingListProps) {
  const acts = useOpenActs(usePolling() || ACTS_POLL_MS);
  const [decided, setDecided] = useState<Act | null>(null);
  const [search] = useSearchParams();
  const linked = search.get("act");
  // The act of this address, if it did not wait any more when the page was opened.
  const [late, setLate] = useState<{ of: string | null; is: boolean }>({ of: null, is: false });
  if (acts.data !== undefined && late.of !== linked)
    setLate({ of: linked, is: !acts.data.some(({ id }) => id === linked) });
  if (acts.isPending) return <LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>;
  const found = findActs(acts.data ?? [], address);
  const isEmpty = approvals.length + found.length === 0;
  return (
    <div className="flex min-h-0 flex-col">
      {acts.data === undefined && (
        <ErrorCard
          className="m-4"
          title="Не удалось загрузить действия"
          error={acts.error}
          onRetry={() => void acts.refetch()}
        />
      )}
      {linked !== null && late.is && decided === null && (
        <p role="status" className="border-b bg-sunken px-4 py-2.5 text-md">
          То действие уже не&nbsp;ждёт вас: по&nbsp;нему решили, или время вышло
        </p>
      )}
      {decided && <DecidedAct act={decided} />}
      {isEmpty ? (
        nothing
      ) : (
        <ApprovalsList
          key={linked}
          first={linked}
          approvals={approvals}
          acts={found}
          onDecided={setDecided}
          onOpenConversation={onOpenConversation}
        />
      )}
    </div>
  );
}

/** The oldest first, as the answers stand. */
function findActs(acts: readonly Act[], { q, platform, twinId }: ConversationAddress): Act[] {
  const words = q.trim().toLocaleLowerCase("ru");
  return acts
    .filter(
      (act) =>
        (!words ||
          [act.contactName, act.twinName, act.title].some((text) => text.toLocaleLowerCase("ru").includes(words))) &&
        (!platform || act.platform === platform) &&
        (!twinId || act.twinId === twinId),
    )
    .toReversed();
}
