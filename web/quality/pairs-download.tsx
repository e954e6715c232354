import { Download } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { useTrainingPairs } from "./queries.ts";

/** For specialists who train a model of their own; the archive says how. */
export function PairsDownload({ twinId }: { twinId: string }) {
  const pairs = useTrainingPairs(twinId);
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="max-w-measure text-md text-muted">
        Если у&nbsp;вас есть своя модель, её можно дообучить на&nbsp;ваших прежних ответах. Имена, телефоны, адреса,
        ссылки и&nbsp;пароли в&nbsp;файлах заменены; программа может что-то не&nbsp;узнать, поэтому просмотрите&nbsp;их.
      </p>
      <Button size="sm" variant="ghost" busy={pairs.isPending} onClick={() => pairs.mutate()}>
        {!pairs.isPending && <Download aria-hidden className="icon" />}
        {pairs.isPending ? "Готовим архив..." : "Скачать пары для обучения модели"}
      </Button>
    </div>
  );
}
