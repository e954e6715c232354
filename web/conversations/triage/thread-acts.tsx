import { Clock, Tag } from "lucide-react";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { isSnoozed, type ShownConversation } from "../shown-conversation.ts";
import { LabelChips } from "./label-chip.tsx";
import { useTriageOf } from "./triage.tsx";

interface OfConversation {
  conversation: ShownConversation;
}

export function ThreadActs({ conversation }: OfConversation) {
  const { may, ask } = useTriageOf();
  if (!may) return null;
  return (
    <div className="flex shrink-0">
      <Button
        variant="ghost"
        size="icon"
        data-thread-act="snooze"
        aria-label="Отложить диалог"
        aria-keyshortcuts="H"
        title="Отложить (H)"
        onClick={() => ask("snooze", [conversation])}
      >
        <Clock aria-hidden className="icon" />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        data-thread-act="label"
        aria-label="Метки диалога"
        aria-keyshortcuts="L"
        title="Метки (L)"
        onClick={() => ask("label", [conversation])}
      >
        <Tag aria-hidden className="icon" />
      </Button>
    </div>
  );
}

/** Snooze time and labels of a conversation, below the heading; renders nothing without either. */
export function ThreadState({ conversation }: OfConversation) {
  const { may, bringBack } = useTriageOf();
  const { labels, snoozedUntil } = conversation;
  const putOff = isSnoozed(conversation);
  if (!putOff && labels.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2 lg:px-5">
      {putOff && (
        <p className="flex items-center gap-2 text-md text-muted">
          <Clock aria-hidden className="icon" />
          Отложен до {formatRecent(snoozedUntil!)}
        </p>
      )}
      <LabelChips labels={labels} most={6} />
      {putOff && may && (
        <Button size="sm" className="ms-auto" onClick={() => void bringBack(conversation)}>
          Вернуть в&nbsp;список
        </Button>
      )}
    </div>
  );
}
