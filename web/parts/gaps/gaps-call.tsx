import { MessageCircleQuestion } from "lucide-react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { useGapCount } from "./queries.ts";

/** Tells the twin's owner alone how many questions the twin could not answer, with a link to them. */
export default function GapsCall({ twin }: { twin: Twin }) {
  const { user } = useSession();
  const own = user?.id === twin.ownerId;
  const open = useGapCount(twin.id, own).data?.open ?? 0;
  return (
    <div role="status" className="empty:hidden">
      {own && open > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-warning-soft p-4 text-warning-text">
          <MessageCircleQuestion aria-hidden className="icon" />
          <p className="min-w-0 flex-1 basis-44 text-md">
            <b className="font-semibold">{plural(open, ["вопрос", "вопроса", "вопросов"])} без&nbsp;ответа.</b> Ответьте
            один раз: двойник передаст ответ всем, кто спрашивал.
          </p>
          <Button asChild size="sm">
            <Link href={paths.twinGaps(twin.id)}>Открыть пробелы</Link>
          </Button>
        </div>
      )}
    </div>
  );
}
