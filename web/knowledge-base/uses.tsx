import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type KnowledgeUse, knowledgeUsesApi } from "#contract/knowledge/knowledge-uses.ts";
import { queryOf } from "#web/api/query.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

export interface LoadedUses {
  /** undefined when uses are not loaded or failed to load. */
  of: (what: { documentId: string } | { fact: string }) => KnowledgeUse | null | undefined;
  atLeast: boolean;
  failed: boolean;
}

/** Loads how often the answers of the last 30 days used each document or fact. */
export function useUses(): LoadedUses {
  const { data, isError } = useQuery(queryOf(knowledgeUsesApi.list));
  return {
    of: (what) =>
      data === undefined
        ? undefined
        : (data.uses.find((use) =>
            "documentId" in what ? use.documentId === what.documentId : use.fact === what.fact,
          ) ?? null),
    atLeast: data?.atLeast ?? false,
    failed: isError,
  };
}

interface UseLineProps {
  use: KnowledgeUse | null | undefined;
  uses: LoadedUses;
  /** Name of the document or fact, for users who hear only the link. */
  name: string;
}

/** «12 ответов, последний сегодня, 14:20», of which the time links to the conversation. */
export function UseLine({ use, uses, name }: UseLineProps) {
  if (use === undefined) return uses.failed ? <span>Не удалось посчитать</span> : <Skeleton className="h-4 w-32" />;
  if (use === null)
    return (
      <span data-none className="text-subtle">
        Ответов пока нет
      </span>
    );
  const count = plural(use.answers, ["ответ", "ответа", "ответов"]);
  return (
    <span className="tabular-nums">
      <span className="font-medium text-fg">{uses.atLeast ? `не меньше ${use.answers}` : count}</span>
      {", "}
      <Link
        href={paths.conversation(use.last.conversationId)}
        // Above the row's overlay, which opens the document.
        className="relative z-1 text-primary-text underline underline-offset-4"
      >
        последний {formatRecent(use.last.at)}
        <span className="sr-only"> ответ по «{name}»: открыть диалог</span>
      </Link>
    </span>
  );
}
