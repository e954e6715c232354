import { MessageSquareText } from "lucide-react";
import { Link } from "wouter";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import type { MessageFilter } from "./message-filter.ts";

interface NoMessagesProps {
  filter: MessageFilter;
  onReset: () => void;
}

export function NoMessages({ filter: { search, platform, twinId }, onReset }: NoMessagesProps) {
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const filtered = search !== "" || platform !== "all" || twinId !== "all";
  const foreign = twin !== undefined && twin.ownerId !== user?.id;
  return (
    <EmptyState
      icon={MessageSquareText}
      title="Сообщения не найдены"
      {...(foreign ? { description: "Переписку двойника видит только его владелец." } : {})}
      action={
        filtered ? (
          <Button onClick={onReset}>Сбросить фильтры</Button>
        ) : (
          <EditorButton asChild>
            <Link href={`${paths.trainAi}?tab=dialogues`}>Загрузить переписку</Link>
          </EditorButton>
        )
      }
    />
  );
}
