import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { ListChecks, MessageSquareText } from "lucide-react";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { queryOf } from "#web/api/query.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { useWaitingCount } from "#web/parts/waiting/queries.ts";
import { waitingText } from "#web/parts/waiting/waiting-words.ts";
import { paths } from "#web/paths.ts";
import { PaletteItem } from "./palette-item.tsx";

/** Enough to go back to, and few enough that the sections below are still seen. */
const LAST = 4;

/** Before anything is typed: what waits for the owner, and the talks with contacts that went on last. */
export function AtHand({ go }: { go: (path: string) => () => void }) {
  const waiting = useWaitingCount();
  const { data } = useQuery(queryOf(conversationsApi.list, { query: { contacts: "1" } }));
  const last = data?.slice(0, LAST) ?? [];
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
          {last.map(({ id, participants, lastMessage, updatedAt }) => (
            <PaletteItem
              key={id}
              value={`at-hand:${id}`}
              icon={MessageSquareText}
              label={participants.name}
              about={[formatWhen(updatedAt), lastMessage].filter(Boolean).join(" · ")}
              onSelect={go(paths.conversation(id))}
            />
          ))}
        </Command.Group>
      )}
    </>
  );
}
