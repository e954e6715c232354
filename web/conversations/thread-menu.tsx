import { Clock, Hand, Info, Menu, Search, Tag } from "lucide-react";
import { openDrawer, openPalette } from "#web/shell/floating-state.ts";
import type { MenuAct } from "#web/shell/header/acts.ts";
import { ActsMenu } from "#web/shell/header/acts-menu.tsx";
import { useStopAct } from "#web/shell/stop-button.tsx";
import type { ShownConversation } from "./shown-conversation.ts";
import { useTakeOver } from "./take-over.tsx";
import { useTriageOf } from "./triage/triage.tsx";

interface ThreadMenuProps {
  conversation: ShownConversation;
  leads: boolean;
  onDetails: () => void;
}

/** Menu below desktop width, where the thread's bar is the only one. It contains the hidden actions of the thread and of the page. */
export function ThreadMenu({ conversation, leads, onDetails }: ThreadMenuProps) {
  const { may, ask } = useTriageOf();
  const takeOver = useTakeOver(conversation);
  const { act: stop, question } = useStopAct();
  const acts: MenuAct[] = [
    ...(leads && takeOver ? [{ label: "Вести самому", icon: Hand, onSelect: takeOver.take }] : []),
    { label: "Подробнее о диалоге", icon: Info, onSelect: onDetails },
    ...(may
      ? [
          { label: "Отложить диалог", icon: Clock, onSelect: () => ask("snooze", [conversation]) },
          { label: "Метки диалога", icon: Tag, onSelect: () => ask("label", [conversation]) },
        ]
      : []),
    { label: "Поиск по всему", icon: Search, onSelect: openPalette, apart: true },
    { label: "Меню разделов", icon: Menu, onSelect: openDrawer },
    ...(stop ? [{ ...stop, apart: true }] : []),
  ];
  return (
    <>
      <ActsMenu label="Действия с диалогом" acts={acts} />
      {question}
    </>
  );
}
