import type { ImportState } from "#contract/knowledge/imports.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Progress } from "#web/ui/figures/progress.tsx";

export default function AttachedProgress({ attached }: { attached: NonNullable<ImportState["attached"]> }) {
  const { total, read, unsure, failed } = attached;
  const going = read < total;
  const doubts = [
    unsure > 0 && `неуверенно: ${formatNumber(unsure)}`,
    failed > 0 && `не прочитано: ${formatNumber(failed)}`,
  ].filter(Boolean);
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-md tabular-nums">
        {going
          ? `Читаем голосовые и картинки: ${formatNumber(read)} из ${formatNumber(total)}`
          : `Голосовые и картинки: ${plural(total, ["файл прочитан", "файла прочитаны", "файлов прочитаны"])}`}
        {doubts.length > 0 && ` · ${doubts.join(" · ")}`}
      </p>
      {going && <Progress label="Чтение голосовых и картинок" value={(100 * read) / total} />}
      <p className="max-w-measure text-sm text-subtle">
        {going
          ? "Страницу можно закрыть: чтение продолжится. Если оно дойдёт до дневного предела, остальное прочитаем завтра."
          : "Их можно послушать и посмотреть на странице «База знаний», в сообщениях. Неуверенно распознанное двойник не учит."}
      </p>
    </div>
  );
}
