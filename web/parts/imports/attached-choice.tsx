import type { ImportChat } from "#contract/knowledge/imports.ts";
import { MEDIA_KINDS } from "#contract/media-kinds.ts";
import { plural } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";

interface AttachedChoiceProps {
  chats: readonly ImportChat[];
  chosen: ReadonlySet<string>;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Checkbox to import recordings and pictures of the chosen chats; renders nothing when there are none. */
export default function AttachedChoice({ chats, chosen, checked, onChange }: AttachedChoiceProps) {
  const files = chats.flatMap(({ id, attached = [] }) => (chosen.has(id) ? attached : []));
  const [speech, pictures] = MEDIA_KINDS.map((kind) =>
    files.reduce((sum, file) => sum + (file.kind === kind ? file.files : 0), 0),
  ) as [number, number];
  if (speech + pictures === 0) return null;
  const counted = [
    speech > 0 && plural(speech, ["голосовое", "голосовых", "голосовых"]),
    pictures > 0 && plural(pictures, ["картинка", "картинки", "картинок"]),
    formatSize(files.reduce((sum, file) => sum + file.bytes, 0)),
  ];
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        className="w-fit py-1"
        checked={checked}
        aria-describedby="attached-about"
        onChange={(event) => onChange(event.target.checked)}
      >
        Прочитать голосовые и картинки из архива
      </Checkbox>
      <p className="ps-7.5 text-sm text-subtle tabular-nums">{counted.filter(Boolean).join(" · ")}</p>
      <p id="attached-about" className="max-w-measure ps-7.5 text-sm text-muted">
        Сказанное и текст на картинках распознаем в фоне, когда переписка уже загружена. Двойник поймёт, о чём его
        спрашивали голосом; то, что распознано неуверенно, он не учит. Файлы останутся рядом с сообщениями и займут
        место организации.
      </p>
    </div>
  );
}
