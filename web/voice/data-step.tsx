import { Download } from "lucide-react";
import { Link } from "wouter";
import type { TwinVoice } from "#contract/models/voice.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { useVoiceData } from "./queries.ts";
import { Step } from "./step.tsx";

const REPLY_FORMS = ["ответ", "ответа", "ответов"] as const;

export function DataStep({ twinId, voice: { model, exchanges, least } }: { twinId: string; voice: TwinVoice }) {
  const data = useVoiceData(twinId);
  const enough = exchanges >= least;
  return (
    <Step number={1} title="Скачайте данные" description="Ваши прошлые ответы и то, на что вы отвечали">
      {enough ? (
        <p>Есть {plural(exchanges, REPLY_FORMS)}: для начала хватит, а&nbsp;чем больше, тем точнее.</p>
      ) : (
        <div className="max-w-measure">
          <p>
            <span className="font-semibold tabular-nums">
              {formatNumber(exchanges)} из {formatNumber(least)}
            </span>{" "}
            ваших ответов на&nbsp;чьё-то сообщение. Нужно ещё {formatNumber(least - exchanges)}
          </p>
          <Progress value={(exchanges / least) * 100} label="Ответов до обучения почерка" className="mt-2" />
        </div>
      )}
      <p className="max-w-measure text-muted text-sm">
        Имена, телефоны, адреса, ссылки и&nbsp;пароли программа убирает. Она может что-то не&nbsp;узнать: просмотрите
        файлы, прежде чем отдать их кому-нибудь.
      </p>
      <div className="flex flex-wrap items-end gap-x-2">
        {!enough && (
          // Without a model there is nothing to adapt, so choosing a model comes first.
          <Button asChild variant={model === "none" ? "outline" : "primary"} className="mt-4 max-sm:w-full">
            <Link href={paths.trainAi}>Загрузить переписку</Link>
          </Button>
        )}
        <Button
          variant={enough ? "primary" : "outline"}
          className="mt-4 max-sm:w-full"
          busy={data.isPending}
          whyNot={enough ? null : `Нужно хотя бы ${plural(least, REPLY_FORMS)} на сообщения`}
          onClick={() => data.mutate()}
        >
          {!data.isPending && <Download aria-hidden className="icon" />}
          {data.isPending ? "Готовим архив..." : "Скачать данные"}
        </Button>
      </div>
    </Step>
  );
}
