import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type KnowledgeSource, knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { formatShortDate } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useDelayedText } from "#web/use-delayed-text.ts";
import { type RemovedKnowledge, useRemoveHistory, useSourceContents } from "./queries.ts";

const SEARCHABLE_FROM = 10;

export function SourceContents({ source }: { source: KnowledgeSource }) {
  const [search, setSearch] = useState("");
  const [text, setText] = useDelayedText(search, setSearch);
  const { data, error, refetch } = useSourceContents(source.id, search);
  const [removed, setRemoved] = useState<RemovedKnowledge | null>(null);
  const remove = useRemoveHistory();
  const mayNot = useWhyNot(knowledgeBaseApi.removeSource);

  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить состав источника" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <LoadingStatus className="min-h-24">Загружаем состав источника...</LoadingStatus>;
  const long = data.chats.length + data.people.length > SEARCHABLE_FROM || search !== "";
  const of = { sourceId: source.id };
  return (
    <div className="flex flex-col gap-4">
      {source.digitalTwinId && (
        <p className="max-w-measure text-md text-muted">
          Ответы из этой переписки видит только тот, кому они написаны, пока вы не откроете их всем.{" "}
          <Link
            href={paths.twinReplies(source.digitalTwinId)}
            className="font-medium text-primary-text underline underline-offset-4"
          >
            Кому видны ваши ответы
          </Link>
        </p>
      )}
      {long && (
        <Input
          type="search"
          aria-label="Поиск чата или человека"
          placeholder="Название чата или имя"
          className="sm:max-w-80"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <Part title="Чаты" empty="Чатов нет">
          {data.chats.map(({ id, name, messages, from, to }) => (
            <Row
              key={id}
              name={name || "Без названия"}
              detail={`${plural(messages, words)}${from && to ? ` · ${formatShortDate(from)}–${formatShortDate(to)}` : ""}`}
              label={`Удалить чат ${name}`}
              onRemove={() => setRemoved({ kind: "chat", id, name, ...of })}
            />
          ))}
        </Part>
        <Part title="Люди" empty="Людей нет">
          {data.people.map(({ id, name, messages }) => (
            <Row
              key={id}
              name={name}
              detail={plural(messages, words)}
              label={`Удалить собеседника ${name}`}
              onRemove={() => setRemoved({ kind: "person", id, name, ...of })}
            />
          ))}
        </Part>
      </div>
      <Button
        variant="danger"
        whyNot={mayNot}
        className="self-start"
        onClick={() => setRemoved({ kind: "source", id: source.id, name: source.name })}
      >
        Удалить источник целиком
      </Button>
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={(open) => !open && setRemoved(null)}
        title={removed === null ? "" : titles[removed.kind](removed.name)}
        description={removed === null ? "" : warnings[removed.kind]}
        confirmLabel="Удалить навсегда"
        cancelLabel="Оставить"
        destructive
        busy={remove.isPending}
        onConfirm={() => removed && remove.mutate(removed, { onSettled: () => setRemoved(null) })}
      />
    </div>
  );
}

const words = ["сообщение", "сообщения", "сообщений"] as const;

const titles: Record<RemovedKnowledge["kind"], (name: string) => string> = {
  source: (name) => `Удалить источник «${name}»?`,
  chat: (name) => `Удалить чат «${name}»?`,
  person: (name) => `Удалить всё о собеседнике «${name}»?`,
};

const warnings: Record<RemovedKnowledge["kind"], string> = {
  source:
    "Исчезнут все его сообщения, примеры ответов и записи индекса. Двойник переучится на том, что останется. Это действие нельзя отменить.",
  chat: "Исчезнут его сообщения, примеры ответов и записи индекса. Двойник переучится на том, что останется. Это действие нельзя отменить.",
  person:
    "Исчезнут личные чаты и диалоги с этим человеком, его слова в группах и примеры ответов ему. Двойник переучится на том, что останется. Это действие нельзя отменить.",
};

function Part({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-2 font-medium text-md">{title}</h3>
      {children.length === 0 ? (
        <p className="text-md text-muted">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <ul tabIndex={0} aria-label={title} className="max-h-80 divide-y overflow-y-auto rounded-lg border">
          {children}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  name: string;
  detail: string;
  label: string;
  onRemove: () => void;
}

function Row({ name, detail, label, onRemove }: RowProps) {
  const mayNot = useWhyNot(knowledgeBaseApi.removeChat);
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="text-md [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-subtle tabular-nums">{detail}</p>
      </div>
      <Button size="sm" variant="ghost" aria-label={label} whyNot={mayNot} onClick={onRemove}>
        <Trash2 aria-hidden className="icon" />
      </Button>
    </li>
  );
}
