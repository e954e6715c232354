import { Inbox, PlugZap } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import type { ConversationTab } from "./conversation-address.ts";

const emptyTabs: Record<ConversationTab, { title: string; description?: string }> = {
  all: { title: "Пока нет диалогов" },
  approval: {
    title: "Ничто не ждёт одобрения",
    description: "Когда двойник подключён к мессенджеру или почте и пишет черновики, они приходят сюда.",
  },
  twin: { title: "Двойник не ведёт ни одного диалога" },
  me: {
    title: "Вы не ведёте ни одного диалога",
    description: "Здесь стоят диалоги мессенджеров и почты, в которых вы отвечаете вместо двойника.",
  },
  closed: { title: "Закрытых диалогов нет" },
  tests: {
    title: "Тестовых чатов нет",
    description: "Здесь стоят ваши собственные разговоры с двойниками: они не смешиваются с диалогами собеседников.",
  },
};

/** Empty state for conversations with contacts, with a link to connect a platform. */
export function EmptyTab({ tab }: { tab: ConversationTab }) {
  const fromChannels = tab === "approval" || tab === "me";
  return (
    <EmptyState
      icon={fromChannels ? PlugZap : Inbox}
      {...emptyTabs[tab]}
      action={
        fromChannels && (
          <Button asChild>
            <Link href={paths.addIntegration}>Добавить интеграцию</Link>
          </Button>
        )
      }
    />
  );
}
