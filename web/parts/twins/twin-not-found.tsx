import { UserX } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";

export function TwinNotFound() {
  return (
    <Card>
      <EmptyState
        icon={UserX}
        title="Агент не найден"
        action={
          <Button asChild variant="primary">
            <Link href={paths.twins}>Вернуться к списку</Link>
          </Button>
        }
      />
    </Card>
  );
}
