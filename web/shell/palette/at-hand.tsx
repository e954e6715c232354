import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ListChecks, MessageSquareText } from "lucide-react";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { queryOf } from "#web/api/query.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { useWaitingCount } from "#web/parts/waiting/queries.ts";
import { waitingNames, waitingOf } from "#web/parts/waiting/waiting-of.ts";
import { waitingText } from "#web/parts/waiting/waiting-words.ts";
import { paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { PaletteItem } from "./palette-item.tsx";

/** Enough to go back to, and few enough that the acts below are still seen. */
const LAST = 3;

/** Before anything is typed: what waits for the owner, and the talks with contacts that went on last. */
export function AtHand({ go }: { go: (path: string) => () => void }) {
  const waiting = useWaitingCount();
  const { data } = useQuery(queryOf(conversationsApi.list, { query: { contacts: "1" } }));
  const approvals = useQuery(queryOf(approvalsApi.list));
  // With its mark from the first paint: one that came later would move the words.
  const last = approvals.isPending ? [] : (data?.slice(0, LAST) ?? []);
  const due = waitingOf(approvals.data ?? []);
  return (
    <>
      {waiting > 0 && (
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
