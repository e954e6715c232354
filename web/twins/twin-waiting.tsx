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

/** What waits in a twin for its owner, each with the way to it; nothing while nothing does, or while it is not known. */
export default function TwinWaiting({ twin }: { twin: Twin }) {
  const { id } = twin;
  const own = useSession().user?.id === twin.ownerId;
  const mayDecide = useReadOnly(twin) === null;
  const of = { params: { id } };
  // One call for all rows of the list.
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
