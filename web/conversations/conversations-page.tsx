import { Page } from "#web/shell/page.tsx";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

export default function ConversationsPage() {
  return (
    <Page title="Диалоги">
      <Card>
        <EmptyState title="Этот раздел ещё не готов" description="Он появится в одной из следующих версий." />
      </Card>
    </Page>
  );
}
