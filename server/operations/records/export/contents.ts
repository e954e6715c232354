/** The files of an export, in the order in which they are written. */
import { and, asc, eq, gt, isNotNull, ne, sql } from "drizzle-orm";
import { storedFiles } from "#server/imports/uploads/uploads.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { contentOf, type FileStore } from "#server/platform/files/file-store.ts";
import { EXPORTED_TABLES } from "./catalogue.ts";
import { mediaRules } from "./conversation-tables.ts";
import { guideOf } from "./guide.ts";
import { countLetters, letterLines, letterSources, lineOf } from "./letters.ts";
import { fileNameOf, textFileName } from "./names.ts";
import { countRows, type ExportContext, pagesOf, read } from "./pages.ts";

/** A file at the root that tells the import that this zip is a whole export, not an export of chats. */
const MANIFEST = "digital-twins-export.json";

interface Part {
  name: string;
  source: AsyncIterable<string | Buffer>;
  packed?: boolean;
}

interface Contents extends ExportContext {
  files: FileStore;
  ownerName: string;
  onRows(count: number): Promise<void>;
}

/** Returns the number of rows for which `onRows` will be called, as of now. */
export async function countContents(contents: ExportContext): Promise<number> {
  let total = await countLetters(contents);
  for (const table of EXPORTED_TABLES) total += await countRows(contents, table);
  return total;
}

export async function* partsOf(contents: Contents): AsyncGenerator<Part> {
  yield { name: "ЧИТАЙТЕ.txt", source: once(guideOf(contents.scope)) };
  const { scope, whose } = contents;
  const manifest = { format: "digital-twins-export", version: 1, scope, ...whose, begunAt: new Date().toISOString() };
  yield { name: MANIFEST, source: once(lineOf(manifest)) };
  for (const table of EXPORTED_TABLES) {
    const pages = pagesOf(contents, table);
    const first = await pages.next();
    if (!first.done) yield { name: `data/${table.name}.jsonl`, source: linesOf(contents, first.value, pages) };
  }
  yield* letters(contents);
  yield* texts(contents);
  yield* originals(contents);
  if (scope === "account") yield* uploads(contents);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* linesOf(
  { onRows }: Contents,
  first: Record<string, unknown>[],
  rest: AsyncIterable<Record<string, unknown>[]>,
): AsyncGenerator<string> {
  yield first.map(lineOf).join("");
  await onRows(first.length);
  for await (const page of rest) {
    yield page.map(lineOf).join("");
    await onRows(page.length);
  }
}

async function* letters(contents: Contents): AsyncGenerator<Part> {
  let place = 0;
  for await (const each of letterSources(contents)) {
    const name = `Переписка/${folderOf(each.twinName, each.twinId)}/${fileNameOf(++place, each.name)}.jsonl`;
    yield { name, source: letterLines(contents, each, contents.ownerName, contents.onRows) };
  }
}

/** Returns a twin's folder name, with its id because names may be equal. */
const folderOf = (name: string, id: string): string => `${fileNameOf(0, name).slice(3)} ${id.slice(0, 8)}`;

async function* texts(contents: Contents): AsyncGenerator<Part> {
  let [last, place]: [string | null, number] = [null, 0];
  for (;;) {
    const where = and(
      eq(documents.orgId, contents.whose.organizationId),
      contents.scope === "account" ? eq(twins.ownerId, contents.whose.userId) : undefined,
      last === null ? undefined : gt(documents.id, last),
      // Excludes recordings and pictures without recognised text.
      ne(documents.content, ""),
    );
    // A document may have some megabytes, so they are read one by one.
    const [row] = await read(contents, (tx) =>
      tx
        .select({
          id: documents.id,
          name: documents.name,
          content: documents.content,
          twinId: twins.id,
          twinName: twins.name,
        })
        .from(documents)
        .innerJoin(twins, eq(twins.id, documents.twinId))
        .where(where)
        .orderBy(asc(documents.id))
        .limit(1),
    );
    if (row === undefined) return;
    last = row.id;
    const name = `Документы/${folderOf(row.twinName, row.twinId)}/${textFileName(++place, row.name)}`;
    yield { name, source: once(row.content) };
    await contents.onRows(0);
  }
}

/** Yields recordings and pictures of contacts and documents, named like the lines of `data/media.jsonl`. */
async function* originals(contents: Contents): AsyncGenerator<Part> {
  const rule = mediaRules[contents.scope]!(contents.whose);
  for (let last: string | null = null; ; ) {
    const behind = last === null ? undefined : gt(mediaFiles.id, last);
    const page: { id: string; name: string | null; mime: string | null }[] = await read(contents, (tx) =>
      tx
        .select({ id: mediaFiles.id, name: mediaFiles.storedName, mime: mediaFiles.mime })
        .from(mediaFiles)
        .where(and(rule, isNotNull(mediaFiles.storedAt), behind))
        .orderBy(asc(mediaFiles.id))
        .limit(ORIGINALS_AT_ONCE),
    );
    for (const { id, name, mime } of page) {
      // Its message may have been deleted meanwhile.
      if (name === null || (await contents.files.size(name)) === null) continue;
      const ending = mime!.split("/")[1]!;
      yield { name: `Вложения/${id}.${ending}`, source: contentOf(contents.files, name), packed: true };
      await contents.onRows(0);
    }
    if (page.length < ORIGINALS_AT_ONCE) return;
    last = page.at(-1)!.id;
  }
}

const ORIGINALS_AT_ONCE = 200;

/** Yields uploaded export files that wait for their import, unchanged. */
async function* uploads(contents: Contents): AsyncGenerator<Part> {
  const { organizationId: orgId, userId } = contents.whose;
  const kept = await read(contents, async (tx) => [
    ...(await tx
      .select({ name: imports.storedName, fileName: imports.fileName })
      .from(imports)
      .where(and(eq(imports.orgId, orgId), eq(imports.userId, userId), isNotNull(imports.storedName)))
      .orderBy(imports.createdAt)),
    ...(await tx
      .select({ name: sql<string | null>`${exportUploads.storedName}`, fileName: exportUploads.fileName })
      .from(exportUploads)
      .where(and(eq(exportUploads.orgId, orgId), eq(exportUploads.userId, userId), isNotNull(exportUploads.format)))
      .orderBy(exportUploads.createdAt)),
  ]);
  let place = 0;
  for (const { name, fileName } of kept) {
    // An import that ended meanwhile has removed its file.
    for (const { name: stored, fileName: own } of await storedFiles(contents.files, name!)) {
      if ((await contents.files.size(stored)) === null) continue;
      const called = own ?? fileName;
      yield {
        name: `Загрузки/${fileNameOf(++place, called)}`,
        source: contentOf(contents.files, stored),
        packed: /\.zip$/i.test(called),
      };
      await contents.onRows(0);
    }
  }
}
