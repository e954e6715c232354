import { Download, MessageSquarePlus, Search, SlidersHorizontal, X } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDate } from "#web/i18n/format.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { type ConversationAddress, NO_FILTERS, useAddressNow } from "./conversation-address.ts";
import { filterPlatforms } from "./platform-label.tsx";
import { useLabels } from "./triage/queries.ts";

interface ConversationToolbarProps {
  exporting: boolean;
  exportWhyNot: string | null;
  onExport: () => void;
}

const TYPING_PAUSE_MS = 250;

/** Search, filters, export and new conversation, shown even without conversations. The filters are kept in the URL. */
export function ConversationToolbar({ exporting, exportWhyNot, onExport }: ConversationToolbarProps) {
  const address = useAddressNow();
  const { q, platform, twinId, whose, label, day, snoozed, change } = address;
  const [query, setQuery] = useState(q);
  const [written, setWritten] = useState(q);
  const chosen = [platform, twinId, whose, label, snoozed].filter(Boolean).length;
  const [filtering, setFiltering] = useState(chosen > 0);

  // «Сбросить» and the browser's «back» change the address without this input.
  if (q !== written) {
    setWritten(q);
    setQuery(q);
  }
  function searchNow() {
    setWritten(query);
    change({ q: query });
  }
  useEffect(() => {
    if (query === q) return;
    const timer = setTimeout(searchNow, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <div className="flex flex-col gap-3 border-b px-3 py-2.5 max-sm:border-b-0 md:px-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <search className="flex min-w-0 flex-1 basis-full gap-2 sm:basis-72 lg:max-w-110">
          <Input
            type="search"
            data-search-conversations
            aria-keyshortcuts="/"
            aria-label="Поиск диалогов"
            placeholder="Имя или сообщение"
            maxLength={200}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => event.key === "Enter" && searchNow()}
          />
          <Button onClick={searchNow}>
            <Search aria-hidden className="icon" />
            Поиск
          </Button>
        </search>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-auto max-sm:*:px-2">
          <Button aria-expanded={filtering} className="aria-expanded:bg-hover" onClick={() => setFiltering(!filtering)}>
            <SlidersHorizontal aria-hidden className="icon max-sm:hidden" />
            <span>Фильтр</span>
            {chosen > 0 && (
              <span className="rounded-full bg-primary-soft px-1.5 text-primary-text text-sm tabular-nums">
                {chosen}
              </span>
            )}
          </Button>
          <Button busy={exporting} whyNot={exportWhyNot} onClick={onExport}>
            {!exporting && <Download aria-hidden className="icon max-sm:hidden" />}
            Экспорт
          </Button>
          <EditorButton onClick={() => change({ new: "" })}>
            <MessageSquarePlus aria-hidden className="icon max-sm:hidden" />
            Новый диалог
          </EditorButton>
        </div>
      </div>
      {day && (
        <Button size="sm" className="self-start" aria-label="Показать все дни" onClick={() => change({ day: null })}>
          {formatDate(`${day}T00:00`)}
          <X aria-hidden className="icon" />
        </Button>
      )}
      {filtering && <Filters address={address} />}
    </div>
  );
}

function Filters({ address }: { address: ConversationAddress }) {
  const { platform, twinId, whose, label, snoozed, change } = address;
  const { data: twins } = useTwins();
  const { data: labels = [] } = useLabels();
  return (
    <div className="grid items-center gap-2 sm:grid-cols-2 lg:grid-cols-[repeat(4,minmax(0,14rem))_auto_auto]">
      <Select
        aria-label="Двойник"
        placeholder="Все двойники"
        value={twinId}
        onChange={(event) => change({ twin: event.target.value })}
      >
        {twins?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Платформа"
        placeholder="Все платформы"
        value={platform}
        onChange={(event) => change({ platform: event.target.value })}
      >
        {filterPlatforms.map((name) => (
          <option key={name} value={name}>
            {platformLabelOf(name)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Ответственный"
        placeholder="Чьи угодно"
        value={whose ?? ""}
        onChange={(event) => change({ whose: event.target.value })}
      >
        <option value="me">Мои</option>
        <option value="none">Без ответственного</option>
      </Select>
      <Select
        aria-label="Метка"
        placeholder="Любые метки"
        value={label}
        onChange={(event) => change({ label: event.target.value })}
      >
        {labels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Checkbox
        className="whitespace-nowrap px-1 py-2"
        checked={snoozed}
        onChange={({ target }) => change({ snoozed: target.checked ? "" : null })}
      >
        Отложенные
      </Checkbox>
      <Button
        variant="ghost"
        className="justify-self-start"
        disabled={!platform && !twinId && !whose && !label && !snoozed}
        onClick={() => change(NO_FILTERS)}
      >
        Сбросить
      </Button>
    </div>
  );
}
