import { SearchX } from "lucide-react";
import { lazy, Suspense } from "react";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import type { ConversationAddress } from "../conversation-address.ts";
import { EmptyTab } from "../empty-tab.tsx";
import { findApprovals } from "../export/export-approvals.ts";
import { useApprovals } from "./approval-queries.ts";

const ApprovalsList = lazy(() => import("./approvals-list.tsx"));

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
  const found = findApprovals(data, address);
  if (data.length === 0) return <EmptyTab tab="approval" />;
  if (found.length === 0) return <EmptyState icon={SearchX} title="Ничего не найдено" />;
  return (
    <Suspense fallback={<LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>}>
      <ApprovalsList approvals={found} onOpenConversation={onOpenConversation} />
    </Suspense>
  );
}
