import type { MediaKind } from "#contract/models/media-readers.ts";

/** Shown for a file that has crashed the process at every attempt. */
export const CRASHED_NOTE = "Чтение файла обрывалось: послушайте или посмотрите его сами.";
export const UNREADABLE_NOTE = "Файл не удалось прочитать.";
export const EMPTY_NOTES: Record<MediaKind, string> = {
  speech: "Слов в записи не слышно.",
  picture: "Текста на картинке нет.",
};
/** Shown after a second reading without a better result. */
export const NO_BETTER_RESULT_NOTE = "Увереннее прочитать не вышло.";
