import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ImageDown } from "lucide-react";
import { qualityApi } from "#contract/quality.ts";
import type { Twin } from "#contract/twins.ts";
import { queryOf } from "#web/api/query.ts";
import { formatShare } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { type Traits, traitsOf } from "./traits.ts";

export default function SpeechPortrait({ twin }: { twin: Twin }) {
  const { data, error, refetch } = useQuery({
    ...queryOf(qualityApi.get, { params: { id: twin.id } }),
    refetchOnMount: "always",
  });
  if (!data) {
    if (!error) return <Skeleton className="h-64 w-full" />;
    return <ErrorCard title="Не удалось загрузить портрет речи" error={error} onRetry={() => void refetch()} />;
  }
  const traits = traitsOf(data);
  return (
    <section aria-labelledby="speech" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 id="speech" className="me-auto text-lg">
          Портрет вашей речи
        </h3>
        {traits && (
          <Button size="sm" onClick={() => void save(twin.name, traits)}>
            <ImageDown aria-hidden className="icon" />
            Сохранить как картинку
          </Button>
        )}
      </div>
      {traits ? (
        <Figures traits={traits} />
      ) : (
        <p className="text-md text-muted">Для портрета сообщений пока мало: добавьте ещё переписку.</p>
      )}
    </section>
  );
}

async function save(name: string, traits: Traits) {
  try {
    const { saveShareCard } = await import("./share-card.ts");
    await saveShareCard(name, traits);
    toast({
      title: "Картинка сохранена",
      description: "На ней только ваши слова и цифры: ни имён собеседников, ни их сообщений.",
    });
  } catch (error) {
    toast({ title: "Не удалось сохранить картинку", description: String(error), variant: "destructive" });
  }
}

const appears = "transition-opacity duration-(--dur-3) ease-out motion-reduce:transition-none starting:opacity-0";
const DELAY_MS = 120;

function Figures({ traits: { list, hours } }: { traits: Traits }) {
  return (
    <>
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-6">
        {list.map(({ title, value, text }, at) => (
          <div
            key={title}
            style={{ transitionDelay: `${at * DELAY_MS}ms` }}
            className={`flex min-w-0 flex-col rounded-lg border p-4 ${widthOf(at, list.length)} ${appears}`}
          >
            <dt className="text-sm text-subtle">{title}</dt>
            <dd className="mt-1 font-semibold text-echo-text text-xl [overflow-wrap:anywhere]">{value}</dd>
            <dd className="mt-0.5 text-md text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      {hours && (
        <figure className={appears} style={{ transitionDelay: `${list.length * DELAY_MS}ms` }}>
          <figcaption className="text-sm text-subtle">Когда вы пишете, по московскому времени</figcaption>
          <Hours hours={hours} />
        </figure>
      )}
    </>
  );
}

/** Grid width of a card: three per row, while the last row shares its width evenly. */
function widthOf(at: number, count: number): string {
  const last = count % 3;
  // A single last card would be alone, so the previous row gives it one.
  const wide = last === 1 ? 4 : last;
  return at < count - wide ? "sm:col-span-2" : "sm:col-span-3";
}

function Hours({ hours }: { hours: readonly number[] }) {
  const most = Math.max(...hours, 0.001);
  return (
    <>
      <div aria-hidden className="mt-2 grid h-16 grid-cols-24 items-end gap-px sm:gap-1">
        {hours.map((share, hour) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day are always these
            key={hour}
            className={clsx("rounded-t-xs bg-echo", share > 0 && "min-h-0.5")}
            style={{ height: `${(share / most) * 100}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="mt-1 grid grid-cols-4 text-sm text-subtle tabular-nums">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{hour}:00</span>
        ))}
      </div>
      <ul className="sr-only">
        {hours.map((share, hour) =>
          share < 0.01 ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day are always these
            <li key={hour}>
              {hour}:00 — {formatShare(share)}
            </li>
          ),
        )}
      </ul>
    </>
  );
}
