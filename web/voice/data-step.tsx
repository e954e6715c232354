import { Download } from "lucide-react";
import { Link } from "wouter";
import type { TwinVoice } from "#contract/models/voice.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { useVoiceData } from "./queries.ts";
import { StepCard } from "./step-card.tsx";

const REPLY_FORMS = ["ответ", "ответа", "ответов"] as const;

export function DataStep({ twinId, voice: { exchanges, least } }: { twinId: string; voice: TwinVoice }) {
  const data = useVoiceData(twinId);
  const enough = exchanges >= least;
  return (
    <StepCard number={1} title="Скачайте данные" description="Ваши прошлые ответы и то, на что вы отвечали">
      <p className="max-w-measure">
        {exchanges === 0
          ? "Ваших ответов на сообщения пока нет."
          : `Есть ${plural(exchanges, REPLY_FORMS)} на сообщения.`}{" "}
        {enough ? (
          "Для начала хватит; чем больше, тем точнее."
        ) : (
          <>
            Нужно хотя бы {formatNumber(least)}.{" "}
            <Link href={paths.trainAi} className="font-medium text-primary-text underline">
              Загрузить переписку
            </Link>
          </>
        )}
      </p>
      <p className="max-w-measure text-muted">
        Имена, телефоны, адреса, ссылки и&nbsp;пароли программа убирает, а&nbsp;ответы с&nbsp;ними пропускает. Она может
        что-то не&nbsp;узнать, поэтому просмотрите файлы, прежде чем отдать их кому-нибудь.
      </p>
      <div>
        <Button
          variant={enough ? "primary" : "outline"}
          busy={data.isPending}
          whyNot={enough ? null : `Нужно хотя бы ${plural(least, REPLY_FORMS)} на сообщения`}
          onClick={() => data.mutate()}
        >
          {!data.isPending && <Download aria-hidden className="icon" />}
          {data.isPending ? "Готовим архив..." : "Скачать данные"}
        </Button>
      </div>
    </StepCard>
  );
}
