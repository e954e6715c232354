import { Page } from "#web/shell/page.tsx";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

export default function KnowledgePage() {
  return (
    <Page title="База знаний">
      <Card>
        <EmptyState title="Этот раздел ещё не готов" description="Он появится в одной из следующих версий." />
      </Card>
    </Page>
  );
}
