import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { gapsApi } from "#contract/gaps.ts";
import { chatFactsApi } from "#contract/knowledge/chat-facts.ts";
import type { Twin } from "#contract/twins.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";

/** Items of a twin that wait for its owner, each with a link; renders nothing without any or while unknown. */
export default function TwinWaiting({ twin }: { twin: Twin }) {
  const { id } = twin;
  const own = useSession().user?.id === twin.ownerId;
  const mayDecide = useReadOnly(twin) === null;
  const of = { params: { id } };
  // All rows of the list share one call.
  const answers = useQuery({ ...queryOf(approvalsApi.list), enabled: mayDecide }).data;
  const drafts = answers?.filter(({ twinId, state }) => twinId === id && state === "draft").length;
  const facts = useQuery({ ...queryOf(chatFactsApi.list, of), enabled: own }).data?.counts.left;
  const gaps = useQuery({ ...queryOf(gapsApi.count, of), enabled: own }).data?.open;
  const waiting = [
    { to: paths.approvals, name: "Черновики", count: drafts },
    { to: paths.twinFacts(id), name: "Факты на\u00a0проверку", count: facts },
    { to: paths.twinGaps(id), name: "Пробелы", count: gaps },
  ].filter(({ count }) => Boolean(count));
  if (waiting.length === 0) return null;
  return (
    <ul aria-label={`Ждёт вас: ${twin.name}`} className="relative flex w-fit flex-wrap gap-x-4 text-sm">
      {waiting.map(({ to, name, count }) => (
        <li key={name}>
          <Link
            href={to}
            className="inline-block py-1 text-muted underline underline-offset-4 tabular-nums hover:text-fg"
          >
            {name}: {formatNumber(count!)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
