import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ListChecks, MessageSquareText } from "lucide-react";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { queryOf } from "#web/api/query.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { useWaitingCounts } from "#web/parts/waiting/queries.ts";
import { waitingNames, waitingOf } from "#web/parts/waiting/waiting-of.ts";
import { waitingText } from "#web/parts/waiting/waiting-words.ts";
import { paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { PaletteItem } from "./palette-item.tsx";

/** Number of recent conversations shown; more would push the actions below out of view. */
const LAST = 3;

export function PaletteSuggestions({ go }: { go: (path: string) => () => void }) {
  const waiting = useWaitingCounts();
  const { data } = useQuery(queryOf(conversationsApi.list, { query: { contacts: "1" } }));
  const approvals = useQuery(queryOf(approvalsApi.list));
  // The list waits for the approvals, because a badge that appears later would shift the text.
  const last = approvals.isPending ? [] : (data?.slice(0, LAST) ?? []);
  const due = waitingOf(approvals.data ?? []);
  return (
    <>
      {waiting.answers + waiting.acts > 0 && (
        <Command.Group heading="Ждёт вас">
          <PaletteItem
            value="at-hand:waiting"
            icon={ListChecks}
            label="Разобрать ответы"
            about={waitingText(waiting)}
            onSelect={go(`${paths.conversations}?tab=approval`)}
          />
        </Command.Group>
      )}
      {last.length > 0 && (
        <Command.Group heading="Последние диалоги">
          {last.map(({ id, participants, lastMessage, updatedAt }) => {
            const waits = due.get(id)?.kind;
            return (
              <PaletteItem
                key={id}
                value={`at-hand:${id}`}
                icon={MessageSquareText}
                face={<Avatar name={participants.name} size="sm" who="contact" className="-mx-0.75 size-6! text-xs!" />}
                label={participants.name}
                about={
                  <>
                    {waits && <span className="font-medium text-warning-text">{waitingNames[waits]} · </span>}
                    {[formatWhen(updatedAt), lastMessage].filter(Boolean).join(" · ")}
                  </>
                }
                onSelect={go(paths.conversation(id))}
              />
            );
          })}
        </Command.Group>
      )}
    </>
  );
}
