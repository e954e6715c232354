/** Why an original was not read, as its owner is told beside it. */
import type { MediaKind } from "#contract/models/media-readers.ts";

/** It has ended the process at every attempt. */
export const CUT_OFF = "Чтение файла обрывалось: послушайте или посмотрите его сами.";
export const NOT_READ = "Файл не удалось прочитать.";
export const NOTHING_THERE: Record<MediaKind, string> = {
  speech: "Слов в записи не слышно.",
  picture: "Текста на картинке нет.",
};
/** Of what was read a second time. */
export const NOT_SURER = "Увереннее прочитать не вышло.";
