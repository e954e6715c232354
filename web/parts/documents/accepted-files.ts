import { MAX_UPLOAD_BYTES } from "#contract/knowledge/knowledge.ts";
import { formatSize } from "#web/i18n/size.ts";

/** Extensions of files that the server can read; the server checks their content. */
export const acceptedFiles = [
  ...[".txt", ".md", ".html", ".htm", ".pdf", ".docx", ".xlsx", ".csv"],
  ...[".png", ".jpg", ".jpeg", ".webp", ".ogg", ".oga", ".opus", ".mp3", ".m4a", ".wav", ".aac", ".flac"],
];

export function refusalOf({ name, size }: Pick<File, "name" | "size">): string | undefined {
  if (!acceptedFiles.some((ending) => name.toLowerCase().endsWith(ending))) {
    return "Этот вид файлов не поддерживается: подходят txt, md, html, pdf, docx, xlsx, csv, картинки и записи голоса";
  }
  if (size === 0) return "Файл пуст";
  if (size > MAX_UPLOAD_BYTES) return `Файл больше ${formatSize(MAX_UPLOAD_BYTES)}: разделите его на части`;
  return undefined;
}
