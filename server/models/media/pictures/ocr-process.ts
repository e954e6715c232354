/** Reads pictures in a sandboxed process, because a picture may be crafted to attack its decoder. */
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { serveRequests } from "#server/platform/sandbox/serve-requests.ts";
import type { Orientation } from "./grey.ts";
import { MAX_PICTURE_BYTES } from "./ocr-limits.ts";
import { openTesseract, type Reader } from "./tesseract.ts";

/** Header of a request frame; the body is the picture. */
export interface OcrQuestion {
  /** Folder and file names of the language data. */
  folder: string;
  languages: string[];
  orientation: Orientation;
}

/** Header of a response frame; the body is the text. `unreadable`: the bytes are not a picture. */
type OcrAnswer = { confidence: number } | { unreadable: true };

let reader: Reader | null = null;

await serveRequests({ headerBytes: 4096, bodyBytes: MAX_PICTURE_BYTES }, async function* ({ header, body }) {
  const { folder, languages, orientation } = header as OcrQuestion;
  reader ??= await openTesseract(folder, languages);
  let answer: OcrAnswer = { unreadable: true };
  let text = "";
  try {
    ({ text, ...answer } = reader.read(body, orientation));
  } catch {
    // The library's message about a stranger's bytes is of no use.
  }
  yield framePieces(answer, [Buffer.from(text)]);
});
