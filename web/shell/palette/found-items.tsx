import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command, useCommandState } from "cmdk";
import { FileText, ListChecks, type LucideIcon, MessageSquareText, Search, UserPlus, UserRound } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { lookupApi } from "#contract/lookup.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";
import { foundPieces } from "#web/ui/found-pieces.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { swapLayout } from "./keyboard-layout.ts";
import { PaletteItem } from "./palette-item.tsx";

const TYPING_PAUSE_MS = 180;
const SHORTEST = 2;

/** Prefix of values that the server has found, which the palette must not filter again. */
export const FOUND = "found:";

/** Finds contacts, messages, documents and facts with the typed words. A newer search cancels the previous one. */
export function useFound(typed: string) {
  const [words, setWords] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setWords(wanted), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const other = swapLayout(words);
  const enabled = words.length >= SHORTEST;
  const query = useQuery({
    ...queryOf(lookupApi.find, { query: { q: words, ...(other === words ? {} : { or: other }) } }),
    enabled,
    placeholderData: keepPreviousData,
    // Results may have changed by the next time the palette is opened.
    gcTime: 0,
    staleTime: 10_000,
  });
  const long = wanted.length >= SHORTEST;
  return {
    found: long && enabled ? query.data : undefined,
    looking: long && (wanted !== words || query.isFetching),
    failed: long && query.isError,
  };
}

interface FoundItemsProps {
  found: NonNullable<ReturnType<typeof useFound>["found"]>;
  typed: string;
  go: (path: string) => () => void;
}

export function FoundItems({ found: { contacts, messages, documents, facts, forms }, typed, go }: FoundItemsProps) {
  // Highlights words as typed and in the other keyboard layout, since a text contains only one of them.
  const other = swapLayout(typed);
  const said = foundPieces(messages[0]?.excerpt ?? "", typed, false, forms).length > 1 ? typed : other;
  const marked = (text: string) => <FoundText text={text} search={`${typed} ${other}`} forms={forms} />;
  return (
    <>
      {contacts.length > 0 && (
        <Command.Group heading="Собеседники">
          {contacts.map(({ conversationId, name, platform, twinName, hasDraft, lastMessage }) => (
            <FoundItem
              key={conversationId}
              id={`contact:${conversationId}`}
              icon={UserRound}
              label={marked(name)}
              // The waiting state and the last message come first, because a narrow line truncates the rest.
              about={
                <>
                  {hasDraft && <span className="font-medium text-warning-text">Черновик · </span>}
                  {[lastMessage, platformLabelOf(platform), twinName].filter(Boolean).join(" · ")}
                </>
              }
              onSelect={go(paths.conversation(conversationId))}
            />
          ))}
        </Command.Group>
      )}
      {messages.length > 0 && (
        <Command.Group heading="Сообщения">
          {messages.map(({ id, conversationId, name, platform, excerpt }) => (
            <FoundItem
              key={id}
              id={`message:${id}`}
              icon={MessageSquareText}
              label={marked(excerpt)}
              about={`${name} · ${platformLabelOf(platform)}`}
              onSelect={go(`${paths.conversation(conversationId)}&message=${encodeURIComponent(id)}`)}
            />
          ))}
          <FoundItem
            id="messages"
            icon={Search}
            label="Все сообщения с этими словами"
            onSelect={go(`${paths.conversations}?q=${encodeURIComponent(said.trim())}`)}
          />
        </Command.Group>
      )}
      {documents.length > 0 && (
        <Command.Group heading="Документы">
          {documents.map(({ id, name, twinName, excerpt }) => (
            <FoundItem
              key={id}
              id={`document:${id}`}
              icon={FileText}
              label={marked(name)}
              about={excerpt === null ? twinName : marked(excerpt)}
              onSelect={go(`${paths.knowledge}?tab=documents&document=${encodeURIComponent(id)}`)}
            />
          ))}
        </Command.Group>
      )}
      {facts.length > 0 && (
        <Command.Group heading="Факты">
          {facts.map(({ id, question, text }) => (
            <FoundItem
              key={id}
              id={`fact:${id}`}
              icon={ListChecks}
              label={marked(text)}
              about={marked(question)}
              onSelect={go(`${paths.knowledge}?tab=facts&fact=${encodeURIComponent(question)}`)}
            />
          ))}
        </Command.Group>
      )}
    </>
  );
}

interface OffersProps {
  found: FoundItemsProps["found"];
  typed: string;
  mayCreate: boolean;
  go: (path: string) => () => void;
}

/** Offers further actions when the words are found in no message or nowhere at all. */
export function Offers({ found, typed, mayCreate, go }: OffersProps) {
  const nothing = Object.values(found).every((rows) => rows.length === 0);
  const creates = nothing && mayCreate;
  const none = useCommandState(({ filtered }) => nothing && filtered.count <= (creates ? 2 : 1));
  if (found.messages.length > 0) return null;
  return (
    <>
      {none && <p className="py-4 text-center text-md text-muted">Ничего не найдено</p>}
      <Command.Group>
        <FoundItem
          id="search"
          icon={Search}
          label={`Искать „${typed.trim()}“ в сообщениях`}
          onSelect={go(`${paths.conversations}?q=${encodeURIComponent(typed.trim())}`)}
        />
        {creates && <FoundItem id="create" icon={UserPlus} label="Создать двойника" onSelect={go(paths.createTwin)} />}
      </Command.Group>
    </>
  );
}

interface FoundItemProps {
  id: string;
  icon: LucideIcon;
  label: ReactNode;
  about?: ReactNode;
  onSelect: () => void;
}

const FoundItem = ({ id, ...props }: FoundItemProps) => <PaletteItem value={`${FOUND}${id}`} {...props} />;
