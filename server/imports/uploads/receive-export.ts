import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { exportReader } from "#server/imports/export-reader/export-reader.ts";
import { refuseUnknown } from "#server/imports/export-reader/read-export.ts";
import { invalid, outOfSpace, Problem, tooLarge, unsupported } from "#server/platform/errors.ts";
import { NO_SPACE } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { parse } from "#server/platform/http/route.ts";
import { cleanName, HEAD_BYTES } from "../formats/message.ts";
import { newName, removeUpload } from "./uploads.ts";

const TwinId = z.uuid("Выберите цифрового двойника");

/** Maximum bytes of the multipart form besides the file. */
const ENVELOPE_BYTES = 64 * 1024;

export interface ReceivedExport {
  digitalTwinId: string;
  /** Name on the user's machine; never used as a path. */
  fileName: string;
  storedName: string;
  bytes: number;
  format: string;
}

interface ReceiveOptions {
  files: FileStore;
  maxBytes: number;
  /** Throws, before any byte of the file is stored, when the caller may not import into this twin. */
  checkTwin(digitalTwinId: string): Promise<void>;
  reserve(file: ReservedFile): Promise<void>;
}

export interface ReservedFile {
  digitalTwinId: string;
  fileName: string;
  storedName: string;
  /** Announced size; without one, the maximum size. */
  bytes: number;
}

/**
 * Streams the one file of a multipart request (fields `digitalTwinId`, then `file`) to the file storage. A refused or broken upload leaves
 * no file.
 * @throws Problem 400 for a malformed or truncated form, 413, 415 when no format recognises the content, 507
 */
export async function receiveExport(request: FastifyRequest, options: ReceiveOptions): Promise<ReceivedExport> {
  if (!request.isMultipart()) {
    throw unsupported(
      "multipart_expected",
      "Ожидалась загрузка файла: multipart/form-data с полями digitalTwinId и file",
    );
  }
  if (Number(request.headers["content-length"] ?? 0) > options.maxBytes + ENVELOPE_BYTES)
    throw tooLong(options.maxBytes);
  let received: ReceivedExport | null = null;
  try {
    let digitalTwinId: string | null = null;
    const limits = { files: 1, fields: 10, fieldSize: 1000, fileSize: options.maxBytes };
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        if (part.fieldname !== "digitalTwinId" || digitalTwinId !== null) continue;
        digitalTwinId = parse(TwinId, part.value);
        await options.checkTwin(digitalTwinId);
      } else if (part.fieldname !== "file") {
        throw invalid("unexpected_file", "Файл выгрузки ожидался в поле file");
      } else if (digitalTwinId === null) {
        throw invalid("twin_first", "Поле digitalTwinId должно стоять перед файлом");
      } else {
        const announced = Number(request.headers["content-length"] ?? options.maxBytes);
        const bytes = Math.min(announced, options.maxBytes);
        received = await storeFile(part, { digitalTwinId, fileName: nameOf(part), bytes }, options);
      }
    }
    if (received === null) throw invalid("no_file", "Выберите файл выгрузки");
    return received;
  } catch (error) {
    await removeUpload(options.files, received?.storedName ?? null);
    // The rest of the request is read and discarded, so that the client receives the response.
    request.raw.unpipe();
    request.raw.resume();
    throw asProblem(error, request, options.maxBytes);
  }
}

async function storeFile(
  part: MultipartFile,
  announced: Omit<ReservedFile, "storedName">,
  { files, maxBytes, reserve }: ReceiveOptions,
): Promise<ReceivedExport> {
  const storedName = newName();
  let bytes = 0;
  const recognised = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let head: Buffer[] | null = [];
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > announced.bytes) throw tooLong(announced.bytes);
      head?.push(chunk);
      if (head !== null && bytes >= HEAD_BYTES) {
        refuseUnknown(Buffer.concat(head));
        head = null;
      }
      yield chunk;
    }
    if (bytes === 0) throw invalid("empty_file", "Файл пуст");
  };
  try {
    await reserve({ ...announced, storedName });
    await files.write(storedName, recognised(part.file));
    if (part.file.truncated) throw tooLong(maxBytes);
    const { digitalTwinId, fileName } = announced;
    const format = await exportReader.recognise(() => files.open(storedName));
    return { digitalTwinId, fileName, storedName, bytes, format };
  } catch (error) {
    await removeUpload(files, storedName);
    throw error;
  }
}

function tooLong(maxBytes: number): Problem {
  const size = maxBytes >= 1024 ** 3 ? `${maxBytes / 1024 ** 3} ГБ` : `${Math.floor(maxBytes / 1024)} КБ`;
  return tooLarge("export_too_large", `Файл больше ${size}: выгрузите переписку по частям`);
}

function nameOf(part: MultipartFile): string {
  const name = cleanName((part.filename ?? "").normalize("NFC").replace(/^.*[/\\]/s, ""));
  return name === "" ? "Выгрузка" : name;
}

/** Translates errors of the disk, the connection and the form parser into problems; other errors are bugs and pass unchanged. */
function asProblem(error: unknown, request: FastifyRequest, maxBytes: number): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number };
  if (code === "ENOSPC" || code === "EDQUOT") {
    return outOfSpace("no_space", NO_SPACE, { cause: error });
  }
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLong(maxBytes);
  if (statusCode === 413)
    return invalid("bad_upload", "В форме ожидались поле digitalTwinId и один файл", { cause: error });
  const cut = request.raw.destroyed && !request.raw.readableEnded;
  if (cut || statusCode === 400 || /multipart|terminated early/i.test(error.message)) {
    return invalid("upload_broken", "Загрузка оборвалась: повторите её", { cause: error });
  }
  return error;
}
