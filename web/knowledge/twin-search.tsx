import { type FormEvent, lazy, Suspense, useState } from "react";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { SearchHit } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useTwinSearch } from "./queries.ts";
import { useTrainAiAddress } from "./use-train-ai-address.ts";

const DocumentDialog = lazy(() => import("#web/parts/documents/document-dialog.tsx"));

export default function TwinSearch({ twin }: { twin: Twin }) {
  const [{ q }, change] = useTrainAiAddress();
  const [text, setText] = useState(q);
  const search = useTwinSearch(twin.id, q);

  function submit(event: FormEvent) {
    event.preventDefault();
    change({ q: text.trim() });
  }

  return (
    <Card aria-labelledby="twin-search">
      <CardHeader
        id="twin-search"
        title="Что найдёт двойник?"
        description={`В\u00a0документах и\u00a0переписке двойника «${innerQuotes(twin.name)}»`}
      />
      <CardBody className="flex flex-col gap-4">
        <form onSubmit={submit} className="flex items-end gap-2">
          <Field label="Вопрос двойнику" className="flex-1">
            <Input
              type="search"
              placeholder="Как оплатить?"
              maxLength={1000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <Button type="submit" disabled={text.trim() === ""}>
            Найти
          </Button>
        </form>
        {q !== "" &&
          (search.isError ? (
            <ErrorCard
              className="border-0! p-0!"
              title="Не удалось выполнить поиск"
              error={search.error}
              onRetry={() => search.refetch()}
            />
          ) : search.data ? (
            <Hits hits={search.data} />
          ) : (
            <LoadingStatus>Поиск...</LoadingStatus>
          ))}
      </CardBody>
    </Card>
  );
}

/** Author of a found message. Messages of the owner are named with the contact of their conversation. */
const authorOf = ({ name, fromOwner }: SearchHit) => (fromOwner ? `Вы, в\u00a0переписке «${name}»` : name);

function Hits({ hits }: { hits: SearchHit[] }) {
  const documents = useDocuments();
  const [opened, setOpened] = useState<SearchHit>();
  const documentOf = (hit: SearchHit) => documents.data?.find(({ id }) => id === hit.documentId);
  const document = opened && documentOf(opened);
  return (
    <>
      <p role="status" className={hits.length === 0 ? "text-md text-muted" : "sr-only"}>
        {hits.length === 0 ? "Ничего не нашлось: двойник честно скажет, что не знает." : `Найдено: ${hits.length}`}
      </p>
      {hits.length > 0 && (
        <ScrollRegion aria-label="Найденное" className="max-h-96">
          <ol className="flex flex-col gap-4">
            {hits.map((hit, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a hit is its place in the answer
              <li key={place}>
                <p className="flex flex-wrap items-center gap-2 text-sm text-subtle">
                  <Badge tone={hit.kind === "document" ? "info" : "neutral"}>
                    {hit.kind === "document" ? "Документ" : "Сообщение"}
                  </Badge>
                  {hit.byEmbedding && <Badge tone="success">По смыслу</Badge>}
                  <span className="min-w-0 [overflow-wrap:anywhere]">{authorOf(hit)}</span>
                </p>
                <p className="mt-1 line-clamp-6 whitespace-pre-line text-md [overflow-wrap:anywhere]">{hit.text}</p>
                {documentOf(hit) && (
                  <Button
                    size="sm"
                    className="mt-2"
                    aria-label={`Показать в документе «${hit.name}», место ${place + 1}`}
                    onClick={() => setOpened(hit)}
                  >
                    Показать в документе
                  </Button>
                )}
              </li>
            ))}
          </ol>
        </ScrollRegion>
      )}
      <Suspense>
        {opened && document && (
          <DocumentDialog document={document} chunk={opened.text} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
    </>
  );
}
