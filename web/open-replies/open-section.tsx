import { clsx } from "clsx";
import { useState } from "react";
import { MAX_FOUND, type OpenReplies, type OpenReply, type PrivatePair } from "#contract/knowledge/open-replies.ts";
import { formatDate, formatMoment, formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { SearchRow } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useDelayedText } from "#web/use-delayed-text.ts";
import { OpenForm } from "./open-form.tsx";
import { toastSaveFailure, useOpen, useSetOpen, useUnopen } from "./queries.ts";

interface OpenSectionProps {
  twinId: string;
  data: OpenReplies;
  words: string;
  onSearch: (words: string) => void;
  readOnly: boolean;
}

/** Private replies shown at once: they are many, and the search finds each. */
const PAGE_SIZE = 10;

type View = "open" | "closed" | "all";

const VIEWS: readonly (readonly [View, string])[] = [
  ["open", "Открытые"],
  ["closed", "Закрытые"],
  ["all", "Все"],
];

/** Published replies, those withdrawn by the owner, and reply examples that only their own contact may get. */
export function OpenSection({ twinId, data, words, onSearch, readOnly }: OpenSectionProps) {
  const { counts } = data;
  const [text, setText] = useDelayedText(words, onSearch);
  // Only its buttons change the view: words that are found in another one are counted there.
  const [view, setView] = useState<View>("open");
  const searches = words !== "";
  const shown = (of: View) => data.replies.filter(({ state }) => of === "all" || state === of);
  const replies = shown(view);
  const found = view === "open" ? [] : data.found;
  const nothing = replies.length + found.length === 0;
  const open = searches ? shown("open").length : counts.opened + counts.recurring;
  const closed = searches ? shown("closed").length + data.found.length : counts.closed + counts.private;
  const countOf = { open, closed, all: open + closed };
  /** A search returns no more private replies, so that there may be more than it counts. */
  const areMore = (of: View) => searches && of !== "open" && data.found.length === MAX_FOUND;
  const count = (of: View) => `${formatNumber(countOf[of])}${areMore(of) ? "+" : ""}`;
  return (
    <PaperSection
      id="open-replies"
      title="Ваши ответы"
      description={
        <span className="max-sm:hidden">Найдите любой свой ответ, чтобы открыть его, или скройте лишний.</span>
      }
    >
      <fieldset aria-label="Какие ответы" className="mb-2 flex flex-wrap gap-1">
        {VIEWS.map(([id, label]) => (
          <Button
            key={id}
            variant="ghost"
            className="max-sm:px-3"
            aria-pressed={view === id}
            onClick={() => setView(id)}
          >
            {label} <span className="text-muted tabular-nums">{count(id)}</span>
          </Button>
        ))}
      </fieldset>
      {!searches && view !== "all" && countOf[view] > 0 && (
        <p className="mb-2 text-muted text-sm">{view === "open" ? openInWords(counts) : closedInWords(counts)}</p>
      )}
      <SearchRow label="Поиск ответа" placeholder="Слова вопроса или ответа" words={text} onChange={setText} />
      <p role="status" className="pb-3 text-muted text-sm empty:hidden">
        {searches && countOf.all > 0 && foundInWords(countOf.all, areMore("all"))}
      </p>
      {nothing &&
        (!searches ? (
          <EmptyState
            open
            title={view === "open" ? "Пока ничего не открыто" : "Ответов пока нет"}
            description="Незнакомым людям двойник отвечает по документам. Ваши прошлые ответы видят только те, кому вы писали."
          />
        ) : countOf.all > 0 ? (
          <EmptyState
            open
            title={view === "open" ? "Среди открытых ничего не найдено" : "Среди закрытых ничего не найдено"}
            action={<Button onClick={() => setView("all")}>Показать все найденные</Button>}
          />
        ) : (
          <EmptyState
            open
            title="Ничего не найдено"
            action={<Button onClick={() => onSearch("")}>Сбросить поиск</Button>}
          />
        ))}
      {replies.length > 0 && (
        <ul className="divide-y border-t">
          {replies.map((reply) => (
            <OpenRow key={reply.id} twinId={twinId} reply={reply} readOnly={readOnly} />
          ))}
        </ul>
      )}
      {found.length > 0 && (
        // Another view or search begins with the first rows again.
        <PrivateReplies
          key={`${view}:${words}`}
          twinId={twinId}
          found={found}
          more={!searches && counts.private > found.length}
          titled={view === "all"}
          readOnly={readOnly}
          className={clsx(view === "all" && replies.length > 0 && "mt-6")}
        />
      )}
    </PaperSection>
  );
}

interface PrivateRepliesProps {
  twinId: string;
  found: readonly PrivatePair[];
  /** Whether there are more than `found`, which only a search finds. */
  more: boolean;
  /** Whether other replies are listed above, so that the heading parts them; otherwise it only says the view again. */
  titled: boolean;
  readOnly: boolean;
  className: string;
}

function PrivateReplies({ twinId, found, more, titled, readOnly, className }: PrivateRepliesProps) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const left = found.length - limit;
  return (
    <section aria-labelledby="found-replies" className={className}>
      <h3 id="found-replies" className={titled ? "mb-2 text-md" : "sr-only"}>
        Видны только своему собеседнику
      </h3>
      <ul className="divide-y border-t">
        {found.slice(0, limit).map((pair) => (
          <PrivateRow key={pair.id} twinId={twinId} pair={pair} readOnly={readOnly} />
        ))}
      </ul>
      {left > 0 ? (
        <div className="border-t pt-2">
          <MoreButton left={left} step={PAGE_SIZE} onShow={() => setLimit(limit + PAGE_SIZE)} />
        </div>
      ) : (
        more && (
          <p className="border-t pt-3 text-sm text-subtle">
            Показаны последние {formatNumber(found.length)}, остальные найдёт поиск.
          </p>
        )
      )}
    </section>
  );
}

const foundInWords = (total: number, areMore: boolean): string =>
  areMore
    ? `Найдено больше ${formatNumber(total)}, показаны лучшие`
    : `Найдено: ${plural(total, ["ответ", "ответа", "ответов"])}`;

/** «Двойник говорит их всем: 3 открыли вы, ещё 1 вы писали троим и больше.» */
function openInWords({ opened, recurring }: OpenReplies["counts"]): string {
  const parts = [
    opened > 0 && `${formatNumber(opened)} открыли вы`,
    recurring > 0 && `${opened > 0 ? "ещё " : ""}${formatNumber(recurring)} вы писали троим и\u00a0больше`,
  ];
  return `Двойник говорит их всем: ${parts.filter(Boolean).join(", ")}.`;
}

function closedInWords({ closed }: OpenReplies["counts"]): string {
  const hidden = closed > 0 ? ` ${formatNumber(closed)} из\u00a0них скрыли вы сами.` : "";
  return `Их видит только тот, кому вы писали.${hidden}`;
}

function OpenRow({ twinId, reply, readOnly }: { twinId: string; reply: OpenReply; readOnly: boolean }) {
  const set = useSetOpen(twinId);
  const { id: replyId, origin, question, reply: text, people, state } = reply;
  const isOpen = state === "open";

  function change(open: boolean) {
    // Not by the callbacks of `mutate`: the row leaves the shown list, and they end with it.
    set.mutateAsync({ replyId, open }).then(
      () => {
        const back = { label: "Отменить", onPress: () => set.mutate({ replyId, open: !open }) };
        actionToast(open ? "Ответ снова открыт" : "Ответ скрыт, двойник больше его не говорит", [back]);
      },
      () => undefined,
    );
  }

  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="min-w-0 max-w-measure text-md [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 text-sm text-subtle">
          <Badge tone={isOpen ? "primary" : "neutral"}>{isOpen ? "Виден всем" : "Скрыт"}</Badge>
          {origin === "opened" ? "Открыли вы" : `Получили ${plural(people, ["человек", "человека", "человек"])}`}
        </p>
        <p className="mt-2 whitespace-pre-line text-muted">{question}</p>
        <p className="mt-1 whitespace-pre-line">{text}</p>
      </div>
      <Button disabled={readOnly || set.isPending} onClick={() => change(!isOpen)}>
        {isOpen ? "Скрыть" : "Открыть снова"}
      </Button>
    </li>
  );
}

function PrivateRow({ twinId, pair, readOnly }: { twinId: string; pair: PrivatePair; readOnly: boolean }) {
  const [editing, setEditing] = useState(false);
  const [open, unopen] = [useOpen(twinId), useUnopen(twinId)];

  function openAs(question: string, reply: string) {
    open
      .mutateAsync({ pairId: pair.id, question, reply })
      .then(
        ({ id }) => actionToast("Ответ открыт всем", [{ label: "Отменить", onPress: () => unopen.mutate(id) }]),
        toastSaveFailure,
      );
  }

  return (
    <li className="py-4">
      {editing ? (
        <OpenForm pair={pair} busy={open.isPending} onOpen={openAs} onCancel={() => setEditing(false)} />
      ) : (
        <div className="flex items-start justify-between gap-x-6 gap-y-3 max-sm:flex-col">
          <div className="min-w-0 max-w-measure text-md [overflow-wrap:anywhere]">
            <p className="whitespace-pre-line text-muted">
              {pair.contactName}: {pair.incoming}
            </p>
            <p className="mt-1 whitespace-pre-line">{pair.reply}</p>
            <time
              dateTime={pair.repliedAt}
              title={formatMoment(pair.repliedAt)}
              className="mt-1 block text-sm text-subtle tabular-nums"
            >
              {formatDate(pair.repliedAt)}
            </time>
          </div>
          <Button disabled={readOnly} onClick={() => setEditing(true)}>
            Открыть всем…
          </Button>
        </div>
      )}
    </li>
  );
}
