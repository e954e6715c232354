import { ListChecks } from "lucide-react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { foundInWords } from "./fact-words.ts";
import { useChatFacts } from "./queries.ts";

/** Tells the twin's owner alone how many facts from his messages wait for a decision, with a link to them. */
export default function FactsCall({ twin }: { twin: Twin }) {
  const { user } = useSession();
  const own = user?.id === twin.ownerId;
  const counts = useChatFacts(twin.id, own).data?.counts;
  return (
    <div role="status" className="empty:hidden">
      {own && counts !== undefined && counts.left > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-primary-soft p-4 text-primary-text">
          <ListChecks aria-hidden className="icon" />
          <p className="min-w-0 flex-1 basis-44 text-md">
            <b className="font-semibold">{foundInWords(counts.total)}.</b>{" "}
            {counts.left === counts.total
              ? "Подтвердите их, и двойник будет отвечать ими всем."
              : `Осталось разобрать ${formatNumber(counts.left)}.`}
          </p>
          <Button asChild size="sm">
            <Link href={paths.twinFacts(twin.id)}>Проверить факты</Link>
          </Button>
        </div>
      )}
    </div>
  );
}
