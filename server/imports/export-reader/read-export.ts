/** Reads an export file, alone or in an archive: detects its format and yields one stream of messages. Runs only in the reading process. */

import { type ImportEnd, WHOLE_END } from "#server/imports/formats/ends.ts";
import {
  type BundledFile,
  type ExportFormat,
  type FindAttached,
  HEAD_BYTES,
  type ImportEvent,
  type ReadOptions,
} from "#server/imports/formats/message.ts";
import { bundleFormats, detectFormat } from "#server/imports/formats/registry.ts";
import { unprocessable, unsupported } from "#server/platform/errors.ts";
import { type BundledAttached, type ExportArchive, openArchive } from "./archive.ts";
import { bytesOf, type ExportFile } from "./export-file.ts";

/** Maximum number of an archive's files that are opened to find a known format. */
const LOOKED_INTO = 200;

/** Decides by the first bytes; the content shows only when the whole file has arrived. */
const isArchive = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from("PK\x03\x04", "latin1"));

/** Checks a file that is still being uploaded. @throws Problem 415 when its first 64 KiB are of no known kind */
export function refuseUnknown(head: Buffer): void {
  if (!isArchive(head) && detectFormat(head.subarray(0, HEAD_BYTES)) === null) throw unknownExport();
}

const unknownExport = () =>
  unsupported(
    "unknown_export",
    "Это не похоже на выгрузку переписки. Подходят Telegram Desktop (result.json или HTML), «Экспорт чата» WhatsApp, " +
      "почта (mbox, eml), архив Slack, Discord (JSON), «Архив данных» VK, Messenger и Instagram (JSON), таблица CSV с автором и сообщением, " +
      "текст «Имя: сообщение» и zip-архивы с ними.",
  );

/**
 * Returns the name of the file's format.
 * @throws Problem 413, 415, 422 for a format that is unknown or not safe to read
 */
export async function recogniseExport(file: ExportFile): Promise<string> {
  const head = await headOf(file);
  if (!isArchive(head)) {
    const format = detectFormat(head);
    if (format === null) throw unknownExport();
    return format.name;
  }
  const archive = await openArchive(file);
  try {
    const known = await recogniseArchive(archive.files);
    if (known === null) throw unknownExport();
    return known.name;
  } finally {
    archive.close();
  }
}

/**
 * Yields every event of the file, with one end. Messages of an archive come file by file, in the same order each time.
 * @throws Problem as recogniseExport; errors of the disk
 */
export async function* readExport(file: ExportFile, options: ReadOptions): AsyncGenerator<ImportEvent, void, void> {
  const head = await headOf(file);
  if (!isArchive(head)) {
    const format = detectFormat(head);
    if (format === null) throw unknownExport();
    yield* format.read(bytesOf(file), options);
    return;
  }
  const archive = await openArchive(file);
  try {
    yield* readArchive(archive, options);
  } finally {
    archive.close();
  }
}

async function* readArchive(archive: ExportArchive, options: ReadOptions): AsyncGenerator<ImportEvent, void, void> {
  const known = await recogniseArchive(archive.files);
  if (known === null) throw unknownExport();
  let end: ImportEnd = WHOLE_END;
  const events = known.bundle
    ? known.bundle.read(archive.files, options)
    : readLoose(archive.files, known.loose, { ...options, attached: archive.attached });
  for await (const event of events) {
    if (event.type !== "end") yield event;
    else if (event.incomplete) end = event;
  }
  const damaged: ImportEnd = {
    type: "end",
    incomplete: true,
    error: "Часть архива повреждена: прочитано всё, что в нём уцелело",
  };
  yield archive.damaged() ? damaged : end;
}

type Known = { name: string; bundle: (typeof bundleFormats)[number]; loose?: never } | Loose;
type Loose = { name: string; bundle?: never; loose: ExportFormat };

/** The file at the root of this product's full export (operations/records/export). */
const EVERYTHING = "digital-twins-export.json";

async function recogniseArchive(files: readonly BundledFile[]): Promise<Known | null> {
  const names = files.map((file) => file.name);
  if (names.includes(EVERYTHING)) {
    throw unprocessable(
      "export_of_everything",
      "Это архив со всеми данными. Распакуйте его и загрузите файлы из папки «Переписка», а документы — отдельно",
    );
  }
  const bundle = bundleFormats.find((format) => format.detect(names));
  if (bundle !== undefined) return { name: bundle.name, bundle };
  for (const file of files.toSorted(likelyFirst).slice(0, LOOKED_INTO)) {
    const format = detectFormat(await headOfFile(file));
    if (format !== null) return { name: format.name, loose: format };
  }
  return null;
}

/** Larger files are tried first, because they contain the conversations; guides and lists of an export are small. */
const likelyFirst = (left: BundledFile, right: BundledFile) => right.size - left.size;

const byName = new Intl.Collator("en", { numeric: true });

/** Reads every file of the first one's platform; files without conversations are skipped. */
async function* readLoose(
  files: readonly BundledFile[],
  first: ExportFormat,
  { attached, ...options }: ReadOptions & Pick<ExportArchive, "attached">,
): AsyncGenerator<ImportEvent, void, void> {
  // If several messages name a file, it belongs to the first.
  const found = new Set<string>();
  const sorted = files.toSorted((left, right) => byName.compare(left.name, right.name));
  if (first.newestFirst) sorted.reverse();
  for (const file of sorted) {
    const format = detectFormat(await headOfFile(file));
    if (format === null || platformOf(format.name) !== platformOf(first.name)) continue;
    const findAttached = finderOf(attached, folderOf(file.name), found);
    const reading = { ...options, fileName: hintOf(file.name, options), findAttached };
    for await (const event of format.read(file.open(), reading)) {
      yield event.type === "rejected" ? { ...event, file: file.name } : event;
    }
  }
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf("/") + 1);

/** Searches beside the file that names it. Meta names paths from the root of the archive, which may be in a folder. */
function finderOf(attached: ReadonlyMap<string, BundledAttached>, folder: string, found: Set<string>): FindAttached {
  return (kind, path) => {
    const wanted = path.normalize("NFC").replaceAll("\\", "/");
    const [top] = folder.split("/");
    const file = [`${folder}${wanted}`, wanted, `${top}/${wanted}`].map((name) => attached.get(name)).find(Boolean);
    if (file === undefined || file.kind !== kind || found.has(file.name)) return null;
    found.add(file.name);
    return { kind, name: file.name, bytes: file.bytes };
  };
}

/** WhatsApp on iOS names every chat file `_chat.txt`, so the archive's name is the better hint. */
const hintOf = (name: string, { fileName }: ReadOptions): string =>
  /(?:^|\/)_chat\.txt$/.test(name) ? (fileName ?? name) : name;

/** Names of export formats begin with their platform. */
export const platformOf = (format: string): string => format.split("-")[0]!;

const headOf = (file: ExportFile): Promise<Buffer> => file.read(0, HEAD_BYTES);

async function headOfFile(file: BundledFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of file.open()) {
    parts.push(Buffer.from(part));
    length += part.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** Yields the bytes of these recordings and pictures of an archive in the requested order; null: missing or damaged. */
export async function* readAttached(
  file: ExportFile,
  names: readonly string[],
): AsyncGenerator<Buffer | null, void, void> {
  const archive = isArchive(await headOf(file)) ? await openArchive(file) : null;
  try {
    for (const name of names) yield (await archive?.attached.get(name)?.read()) ?? null;
  } finally {
    archive?.close();
  }
}
