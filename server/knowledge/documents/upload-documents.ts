/** Handles the multipart upload form: fields in any order and up to twenty files, each read and stored separately. */
import type { Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import {
  DocumentInput,
  DocumentUploadFields,
  type FailedDocument,
  type KnowledgeDocument,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_FILES,
  OriginalFields,
  type UploadedDocuments,
} from "#contract/knowledge/knowledge.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { invalid, Problem, tooLarge, unprocessable } from "#server/platform/errors.ts";
import { type FileDeps, removeFiles } from "#server/platform/files/stored-files.ts";
import { type Caller, parse } from "#server/platform/http/route.ts";
import { documentReaders } from "./document-readers.ts";
import { addDocument, type DocumentDeps } from "./documents.ts";
import { addOriginal, isOriginal, type KeptOriginal, keepOriginal } from "./originals/add-original.ts";
import type { DocumentText } from "./read-document.ts";

interface ReadFile {
  name: string;
  read: DocumentText | KeptOriginal | Problem;
}

type UploadDeps = DocumentDeps & FileDeps;

/** @throws Problem for an invalid form, for a single rejected file, and 422 when several files are all rejected */
export async function uploadDocuments(
  deps: UploadDeps,
  caller: Caller,
  request: FastifyRequest,
): Promise<UploadedDocuments> {
  const kept = new Set<string>();
  try {
    return await storeForm(deps, caller, request, kept);
  } finally {
    // Removes originals without a document, because the form or the file was rejected.
    await removeFiles(deps, [...kept]);
  }
}

/** @param kept stored originals without a row so far */
async function storeForm(
  deps: UploadDeps,
  caller: Caller,
  request: FastifyRequest,
  kept: Set<string>,
): Promise<UploadedDocuments> {
  const { files, fields } = await readForm(deps, caller, request, kept);
  const { tags = "", name: given, ...rest } = parse(DocumentUploadFields, fields);
  const splitTags = tags.split(",").map((tag) => tag.trim());
  const results: (KnowledgeDocument | FailedDocument)[] = [];
  const problems: Problem[] = [];
  for (const { name: fileName, read } of files) {
    const name = files.length === 1 && given !== undefined ? given : fileName;
    try {
      if (read instanceof Problem) throw read;
      if ("storedName" in read) {
        const about = parse(OriginalFields, { ...rest, tags: splitTags, name });
        results.push(await addOriginal(deps, caller, about, read));
        kept.delete(read.storedName);
        continue;
      }
      const input = parse(DocumentInput, { ...rest, tags: splitTags, name, content: read.text });
      results.push(await addDocument(deps, caller, { ...input, mime: read.mime }));
    } catch (error) {
      if (!(error instanceof Problem) || error.code === "twin_not_found" || error.status === 403) throw error;
      problems.push(error);
      results.push({ name, status: "failed", error: error.message });
    }
  }
  if (files.length === 1) {
    if (problems[0] !== undefined) throw problems[0];
    return results[0] as KnowledgeDocument;
  }
  if (problems.length === files.length) {
    throw unprocessable("documents_failed", "Ни один файл не удалось загрузить", {
      fields: Object.fromEntries(files.map(({ name }, at) => [name, problems[at]!.message])),
    });
  }
  return results;
}

async function readForm(deps: UploadDeps, caller: Caller, request: FastifyRequest, kept: Set<string>) {
  const fields: Record<string, unknown> = {};
  const files: ReadFile[] = [];
  try {
    for await (const part of partsOf(request)) {
      if (part.type === "field") {
        fields[part.fieldname] = part.value;
        continue;
      }
      // Fields usually come first, so another owner's twin is rejected before any file is read.
      if (files.length === 0 && "digitalTwinId" in fields) await checkTwin(deps.db, caller, fields);
      const name = fileName(part.filename, files.length + 1);
      const read = await readFile(deps, caller, name, part).catch(asProblem);
      if ("storedName" in read) kept.add(read.storedName);
      files.push({ name, read });
    }
  } catch (error) {
    // The remaining body is read and discarded, so that the client receives the response.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
  if (files.length === 0) throw invalid("invalid_input", "Выберите файл", { fields: { file: "Выберите файл" } });
  return { files, fields };
}

async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  const limits = { files: MAX_UPLOAD_FILES, fileSize: MAX_UPLOAD_BYTES };
  // A file that is too large fails alone, without the rest of the form.
  const options = { limits, throwFileSizeLimit: false };
  try {
    yield* request.parts(options);
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === "FST_FILES_LIMIT") {
      throw tooLarge("too_many_files", `Не больше ${MAX_UPLOAD_FILES} файлов за раз`, { cause });
    }
    throw invalid("upload_broken", "Загрузка оборвалась: повторите её", { cause });
  }
}

async function checkTwin(db: Database, caller: Caller, fields: Record<string, unknown>): Promise<void> {
  const { digitalTwinId } = parse(DocumentUploadFields, fields);
  await asTenant(db, caller, (tx) => getChangeableTwin(tx, caller, digitalTwinId));
}

async function readFile(
  deps: UploadDeps,
  caller: Caller,
  name: string,
  part: Extract<Multipart, { type: "file" }>,
): Promise<DocumentText | KeptOriginal> {
  const { organizationId } = caller;
  const isWhole = () => {
    if (part.file.truncated) throw tooLarge("document_too_large", "Файл больше 50 МБ");
  };
  return documentReaders.hold<DocumentText | KeptOriginal>(organizationId, piecesOf(part), isWhole, async (pieces) =>
    isOriginal(name, pieces) ? keepOriginal(deps, caller, pieces) : documentReaders.read(organizationId, name, pieces),
  );
}

async function* piecesOf({ file }: Extract<Multipart, { type: "file" }>): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch (cause) {
    throw invalid("upload_broken", "Загрузка оборвалась: повторите её", { cause });
  }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

// The name is shown and stored, but never used as a path.
function fileName(given: string | undefined, place: number): string {
  const name = (given ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim()
    .slice(-300)
    .toWellFormed();
  return name === "" ? `Файл ${place}` : name;
}
