import { Link } from "wouter";
import type { McpConnection, OfferedAction } from "#contract/actions/tool-connections.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ROWS_WITHOUT_SEARCH, SearchRow, useSearchWords } from "#web/ui/layout/paged-list.tsx";
import { serverName } from "../connections/connection-words.ts";

interface OfferListProps {
  connection: McpConnection;
  onChoose: (offer: OfferedAction) => void;
}

/** What a server offers, in its own words; one is chosen. */
export function OfferList({ connection, onChoose }: OfferListProps) {
  const { twinId, state, failure, tools } = connection;
  const title = serverName(connection.title);
  // What cannot be called is not chosen.
  const offers = state === "ready" ? connection.offers : [];
  const [words, search] = useSearchWords();
  const sought = words.trim().toLocaleLowerCase("ru");
  const shown = offers.filter((offer) =>
    `${offer.name}\n${offer.title}\n${offer.description}`.toLocaleLowerCase("ru").includes(sought),
  );
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className="font-medium text-md">{title}</h3>
      {state !== "ready" && (
        <p className="text-sm text-warning-text">
          {failure ?? "На\u00a0этот сервер нужно войти."}
          <Link href={paths.twinTools(twinId)} className="block underline">
            К&nbsp;списку подключений
          </Link>
        </p>
      )}
      {offers.length > ROWS_WITHOUT_SEARCH && (
        <SearchRow label="Найти действие сервера" placeholder="Название или описание" words={words} onChange={search} />
      )}
      {state === "ready" && offers.length === 0 && (
        <p className="text-muted text-sm">Этот сервер не&nbsp;предлагает ни&nbsp;одного действия</p>
      )}
      {offers.length > 0 && shown.length === 0 && <p className="text-muted text-sm">Ничего не&nbsp;найдено</p>}
      {shown.length > 0 && (
        <ul className="divide-y rounded-lg border bg-surface">
          {shown.map((offer) => (
            <li key={offer.name} className="flex items-start justify-between gap-x-4 gap-y-2 p-4 max-sm:flex-col">
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="font-medium text-md">{offer.title}</span>
                  {offer.title !== offer.name && <span className="font-mono text-muted text-sm">{offer.name}</span>}
                  {offer.readOnly ? (
                    <Badge>Только читает, по&nbsp;словам сервера</Badge>
                  ) : (
                    <Badge tone="warning">Меняет</Badge>
                  )}
                </div>
                {offer.description !== "" && <p className="mt-1 text-muted text-sm">{offer.description}</p>}
                {offer.refusal !== null && <p className="mt-1 text-sm text-warning-text">{offer.refusal}</p>}
              </div>
              <Button
                size="sm"
                className="shrink-0"
                aria-label={`Выбрать: ${offer.title}`}
                whyNot={offer.refusal}
                onClick={() => onChoose(offer)}
              >
                Выбрать
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tools.length > 0 && (
        <p className="text-muted text-sm">У&nbsp;двойника уже есть: {tools.map((tool) => tool.title).join(", ")}</p>
      )}
    </section>
  );
}
