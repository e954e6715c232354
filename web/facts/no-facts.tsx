import { ListChecks } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

interface NoFactsProps {
  twinId: string;
  total: number;
  looking: boolean;
  bare?: boolean;
}

export function NoFacts({ twinId, total, looking, bare = false }: NoFactsProps) {
  const content = looking ? (
    <LoadingStatus className="min-h-60">Ищем факты в переписке...</LoadingStatus>
  ) : total > 0 ? (
    <EmptyState
      icon={ListChecks}
      title="Все факты разобраны"
      description="Подтверждённые лежат среди исправлений: там их можно изменить или выключить. Новые появятся здесь после обучения."
      action={
        <Button asChild>
          <Link href={paths.twinCorrections(twinId)}>Открыть исправления</Link>
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={ListChecks}
      title="Фактов пока нет"
      description="Когда в переписке найдутся ваши ответы с ценами, часами работы, сроками или условиями, мы предложим их здесь."
      action={
        <Button asChild>
          <Link href={paths.trainAi}>Добавить переписку</Link>
        </Button>
      }
    />
  );
  return bare ? content : <Card aria-label="Факты из переписки">{content}</Card>;
}
