import { SearchX } from "lucide-react";
import { lazy, Suspense } from "react";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import type { ConversationAddress } from "../conversation-address.ts";
import { EmptyTab } from "../empty-tab.tsx";
import { findApprovals } from "../export/export-approvals.ts";
import { useApprovals } from "./approval-queries.ts";

const WaitingList = lazy(() => import("./waiting-list.tsx"));

interface ApprovalsTabProps {
  address: ConversationAddress;
  onOpenConversation: (id: string) => void;
}

export function ApprovalsTab({ address, onOpenConversation }: ApprovalsTabProps) {
  const { data, error, refetch } = useApprovals(true);
  if (!data) {
    return error ? (
      <ErrorCard className="m-4" title="Не удалось загрузить ответы" error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>
    );
  }
  return (
    <Suspense fallback={<LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>}>
      <WaitingList
        address={address}
        approvals={findApprovals(data, address)}
        nothing={
          data.length === 0 ? <EmptyTab tab="approval" /> : <EmptyState icon={SearchX} title="Ничего не найдено" />
        }
        onOpenConversation={onOpenConversation}
      />
    </Suspense>
  );
}
