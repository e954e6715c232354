import { Link } from "wouter";
import type { Gap } from "#contract/gaps.ts";
import { useGaps } from "#web/parts/gaps/queries.ts";
import { answerCheckText, gapProgressText, notifiedCountText } from "./gap-words.ts";

const SHOWN = 3;

/** The effect of the owner's latest answers, beside the open questions: whether askers were notified and the twin knows the answer. */
export function RecentlyAnswered({ twinId, to }: { twinId: string; to: string }) {
  const { data } = useGaps(twinId, "answered");
  const answered = data?.gaps.filter(({ state }) => state === "answered").slice(0, SHOWN) ?? [];
  if (answered.length === 0) return null;
  return (
    <section aria-labelledby="lately-answered" className="border-t px-4 py-4 md:px-5">
      <div className="flex items-baseline justify-between gap-3">
        <h3 id="lately-answered" className="text-md">
          Недавно отвечены
        </h3>
        <Link href={to} className="text-sm underline">
          Все
        </Link>
      </div>
      <ul className="mt-2 flex flex-col gap-3">
        {answered.map((gap) => (
          <li key={gap.id} className="[overflow-wrap:anywhere]">
            <p className="text-md">{gap.question}</p>
            <p className="text-muted text-sm empty:hidden">{outcomeOf(gap, data?.working === true)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const outcomeOf = (gap: Gap, working: boolean): string =>
  [answerCheckText(gap)?.text, notifiedCountText(gap.questions), gapProgressText(gap, working)]
    .filter(Boolean)
    .join(". ");
