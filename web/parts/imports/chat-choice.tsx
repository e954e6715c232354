import { clsx } from "clsx";
import { useId, useState } from "react";
import type { ImportChat } from "#contract/knowledge/imports.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { chatKindNames } from "#web/parts/conversation-upload/conversation-option-names.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Input } from "#web/ui/forms/input.tsx";

const SEARCHABLE_FROM = 10;
/** Number of chats up to which all stored lines are shown. In a longer list two lines distinguish chats of the same name. */
const TOLD_IN_FULL = 3;
const LINES_IN_A_LIST = 2;
/** Maximum number of rendered rows, because an account may have thousands of chats. */
const PAGE_SIZE = 100;

type Choosable = Pick<ImportChat, "id" | "name" | "kind" | "firstLines">;

interface ChatChoiceProps<Chat extends Choosable> {
  chats: Chat[];
  /** Returns the line below a chat's name; called only for rendered rows. */
  aboutOf: (chat: Chat) => string;
  chosen: Set<string>;
  onChange: (chosen: Set<string>) => void;
  error?: string | undefined;
}

export function ChatChoice<Chat extends Choosable>({ chats, aboutOf, chosen, onChange, error }: ChatChoiceProps<Chat>) {
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(PAGE_SIZE);
  const id = useId();
  const wanted = search.trim().toLowerCase();
  const found = wanted ? chats.filter(({ name }) => name.toLowerCase().includes(wanted)) : chats;
  const privateIds = chats.filter(({ kind }) => kind === "private").map((chat) => chat.id);

  function toggle(chatId: string, on: boolean) {
    const next = new Set(chosen);
    if (on) next.add(chatId);
    else next.delete(chatId);
    onChange(next);
  }

  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex min-w-0 flex-col gap-3">
      <legend className="mb-3 font-medium text-md">Какие чаты взять</legend>
      {/* A single chat needs no «choose all». */}
      <div className={clsx("flex flex-wrap items-center gap-x-4 gap-y-2", chats.length < 2 && "hidden")}>
        {chats.length > SEARCHABLE_FROM && (
          <Input
            type="search"
            aria-label="Поиск по чатам"
            placeholder="Название чата"
            className="sm:w-64!"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setLimit(PAGE_SIZE);
            }}
          />
        )}
        <div className="flex flex-wrap gap-2">
          {privateIds.length > 0 && (
            <Button size="sm" onClick={() => onChange(new Set([...chosen, ...privateIds]))}>
              Выбрать все личные
            </Button>
          )}
          <Button size="sm" disabled={chosen.size === 0} onClick={() => onChange(new Set())}>
            Снять все
          </Button>
        </div>
      </div>
      <ul className="max-h-112 divide-y overflow-y-auto rounded-lg border">
        {found.slice(0, limit).map((chat) => (
          <li key={chat.id} className="hover:bg-hover">
            <ChatRow
              chat={chat}
              about={aboutOf(chat)}
              checked={chosen.has(chat.id)}
              onToggle={(on) => toggle(chat.id, on)}
            />
            {chat.firstLines && (
              <FirstLines
                lines={chats.length > TOLD_IN_FULL ? chat.firstLines.slice(0, LINES_IN_A_LIST) : chat.firstLines}
              />
            )}
          </li>
        ))}
        {found.length > limit && (
          <li className="p-2 text-center">
            <Button variant="ghost" size="sm" onClick={() => setLimit(limit + PAGE_SIZE)}>
              Показать ещё {formatNumber(Math.min(PAGE_SIZE, found.length - limit))}
            </Button>
          </li>
        )}
        {found.length === 0 && <li className="px-4 py-6 text-center text-md text-muted">Таких чатов нет</li>}
      </ul>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function FirstLines({ lines }: { lines: NonNullable<Choosable["firstLines"]> }) {
  return (
    <div className="flex flex-col gap-2 px-4 pb-4 pl-11.5 text-md">
      {lines.map(({ author, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they neither move nor change
        <p key={at} className="line-clamp-2">
          {author && <span className="font-medium">{author}: </span>}
          <span className="text-muted">{text}</span>
        </p>
      ))}
    </div>
  );
}

interface ChatRowProps {
  chat: Choosable;
  about: string;
  checked: boolean;
  onToggle: (on: boolean) => void;
}

function ChatRow({ chat: { name, kind }, about, checked, onToggle }: ChatRowProps) {
  return (
    <Checkbox className="px-4 py-2.5" checked={checked} onChange={(event) => onToggle(event.target.checked)}>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 [overflow-wrap:anywhere]">{name || "Без названия"}</span>
        <Badge tone={kind === "private" ? "primary" : "neutral"}>{chatKindNames[kind]}</Badge>
      </span>
      <span className="block text-sm text-subtle tabular-nums">{about}</span>
    </Checkbox>
  );
}
