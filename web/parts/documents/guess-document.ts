import type { DocumentType } from "#contract/knowledge/knowledge.ts";

/** Patterns that guess a document's type from its name; the first match applies. */
const BY_NAME: readonly [RegExp, DocumentType][] = [
  [/faq|вопрос/, "faq"],
  [/возврат|правил|регламент|политик|договор|оферт|услови|policy|terms/, "policy"],
  [/прайс|цен[аы]|каталог|ассортимент|товар|услуг|меню|price|product/, "product"],
  [/продаж|скрипт|возражен|sales/, "sales"],
  [/поддержк|инструкц|руководств|support|manual|guide/, "support"],
  [/переписк|диалог|chat/, "conversation"],
  [/обучен|курс|урок|training/, "training"],
];

const HEAD_BYTES = 16 * 1024;
const ENOUGH = 3;

/** Guesses a document's type by its name or, for text, by its beginning; undefined when neither helps. */
export async function typeOf(file: File): Promise<DocumentType | undefined> {
  const name = file.name.toLowerCase();
  const named = BY_NAME.find(([words]) => words.test(name))?.[1];
  if (named || !/\.(txt|md|csv)$/.test(name)) return named;
  // A file that was deleted from the disk is reported when it is sent.
  const head = await file
    .slice(0, HEAD_BYTES)
    .text()
    .catch(() => "");
  const lines = head.split("\n");
  if (lines.filter((line) => line.trimEnd().endsWith("?")).length >= ENOUGH) return "faq";
  if (lines.filter((line) => /\d\s?(₽|руб)/.test(line)).length >= ENOUGH) return "product";
  return undefined;
}

/** Returns the document's title: «прайс_2025.pdf» becomes «прайс 2025». */
export const titleOf = ({ name }: Pick<File, "name">): string =>
  name
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .replaceAll("_", " ")
    .trim()
    .slice(0, 300) || name;
