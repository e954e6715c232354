import { clsx } from "clsx";
import { lazy, Suspense, type SyntheticEvent, useRef, useState } from "react";
import type { SavedReply } from "#contract/conversations/saved-replies.ts";
import { plural } from "#web/i18n/plural.ts";
import type { ChatFieldProps } from "#web/parts/chat/chat-composer.tsx";
import { Button } from "#web/ui/button.tsx";
import { useListbox } from "../listbox.ts";
import { fillName } from "./fill-name.ts";
import { useSavedReplies } from "./queries.ts";
import { type Slash, slashAt } from "./slash.ts";

const SavedRepliesDialog = lazy(() => import("./saved-replies-dialog.tsx"));

interface SavedRepliesField {
  draft: string;
  onDraft: (draft: string) => void;
  contactName: string;
}

/**
 * «/» at the start of a line offers the saved replies, filtered by the text behind it. The chosen one replaces that text in the field;
 * the user sends it or not.
 */
export function useSavedRepliesField({ draft, onDraft, contactName }: SavedRepliesField) {
  const [slash, setSlash] = useState<Slash | null>(null);
  /** Position of the «/» whose list was closed with Esc. */
  const [closed, setClosed] = useState<number | null>(null);
  const [managing, setManaging] = useState(false);
  const field = useRef<HTMLTextAreaElement | null>(null);
  const open = slash !== null && closed !== slash.from;
  const { data: saved } = useSavedReplies(open);
  const wanted = slash?.query.trim().toLocaleLowerCase("ru") ?? "";
  const found = open
    ? (saved ?? []).filter(({ title, text }) => `${title} ${text}`.toLocaleLowerCase("ru").includes(wanted))
    : [];
  const list = useListbox(found, take);
  // No saved reply matches, so the user means a slash.
  const shows = open && saved !== undefined && (found.length > 0 || wanted === "");

  function take({ text }: SavedReply) {
    if (slash === null) return;
    const filled = fillName(text, contactName);
    onDraft(draft.slice(0, slash.from) + filled + draft.slice(slash.to));
    setSlash(null);
    const caret = slash.from + filled.length;
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(caret, caret);
    });
  }

  function look({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) {
    field.current = currentTarget;
    const now = slashAt(currentTarget.value, currentTarget.selectionStart);
    setSlash(now);
    if (now === null) setClosed(null);
    if (now?.query !== slash?.query) list.setActive(0);
  }

  const fieldProps: ChatFieldProps = {
    ...(shows ? list.fieldProps : {}),
    "aria-haspopup": "listbox",
    onInput: look,
    onSelect: look,
    onBlur: () => setSlash(null),
    onKeyDown(event) {
      if (!shows || slash === null) return;
      if (event.key === "Escape") {
        setClosed(slash.from);
        event.preventDefault();
      } else list.press(event);
    },
  };

  const popup = (
    <>
      <p role="status" className="sr-only">
        {shows ? plural(found.length, ["заготовка", "заготовки", "заготовок"]) : ""}
      </p>
      {shows && (
        <div className="absolute inset-x-3 bottom-full z-10 mb-1 flex max-h-72 max-w-xl flex-col overflow-hidden rounded-lg border bg-surface shadow-2 md:inset-x-5">
          {found.length > 0 ? (
            <div role="listbox" id={list.listId} aria-label="Заготовки" tabIndex={-1} className="overflow-y-auto p-1.5">
              {found.map((reply, place) => (
                <div
                  key={reply.id}
                  role="option"
                  tabIndex={-1}
                  id={list.optionId(place)}
                  aria-selected={place === list.active}
                  ref={place === list.active ? scrollTo : null}
                  onPointerMove={() => list.setActive(place)}
                  // Prevents the click from taking the focus from the field.
                  onMouseDown={(event) => {
                    event.preventDefault();
                    take(reply);
                  }}
                  className={clsx("cursor-pointer rounded-sm px-2 py-1.5", place === list.active && "bg-hover")}
                >
                  <p className="truncate font-medium text-md">{reply.title}</p>
                  <p className="truncate text-muted text-sm">{fillName(reply.text, contactName)}</p>
                </div>
              ))}
            </div>
          ) : (
            <p className="p-3 text-md text-muted">Заготовок пока нет</p>
          )}
          <div className="flex items-center justify-between gap-2 border-t px-3 py-1.5 text-muted text-sm">
            <span className="max-sm:hidden">Enter вставит, Esc закроет</span>
            <Button
              variant="ghost"
              size="sm"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setSlash(null);
                setManaging(true);
              }}
            >
              {found.length > 0 ? "Изменить заготовки" : "Создать заготовку"}
            </Button>
          </div>
        </div>
      )}
      {managing && (
        <Suspense>
          <SavedRepliesDialog onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  );
  return { fieldProps, popup, manage: () => setManaging(true) };
}

const scrollTo = (option: HTMLElement | null) => option?.scrollIntoView({ block: "nearest" });
