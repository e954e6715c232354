import { Inbox, MessageSquarePlus, PlugZap } from "lucide-react";
import { Link } from "wouter";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { type ConversationTab, useAddressNow } from "./conversation-address.ts";

const emptyTabs: Record<ConversationTab, { title: string; description?: string }> = {
  all: { title: "Пока нет диалогов", description: "Поговорите с двойником сами: так видно, как он ответит другим." },
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

/** Empty tab. It links to connecting a platform, or starts a conversation with the user's own twin. */
export function EmptyTab({ tab }: { tab: ConversationTab }) {
  const { change } = useAddressNow();
  const noTwins = useTwins(tab === "all").data?.length === 0;
  const fromChannels = tab === "approval" || tab === "me";
  return (
    <EmptyState
      icon={fromChannels ? PlugZap : Inbox}
      {...emptyTabs[tab]}
      action={
        fromChannels ? (
          <Button asChild>
            <Link href={paths.addIntegration}>Добавить интеграцию</Link>
          </Button>
        ) : (
          (tab === "all" || tab === "tests") && (
            // Without a twin, creating one is the page's primary action.
            <EditorButton variant={noTwins ? "outline" : "primary"} onClick={() => change({ new: "" })}>
              <MessageSquarePlus aria-hidden className="icon" />
              Начать диалог
            </EditorButton>
          )
        )
      }
    />
  );
}
