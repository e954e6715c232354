/** Why an original was not read, as shown to its owner. */
import type { MediaKind } from "#contract/models/media-readers.ts";

/** It has ended the process at every attempt. */
export const CRASHED_NOTE = "Чтение файла обрывалось: послушайте или посмотрите его сами.";
export const UNREADABLE_NOTE = "Файл не удалось прочитать.";
export const EMPTY_NOTES: Record<MediaKind, string> = {
  speech: "Слов в записи не слышно.",
  picture: "Текста на картинке нет.",
};
/** Of what was read a second time. */
export const NO_BETTER_RESULT_NOTE = "Увереннее прочитать не вышло.";
