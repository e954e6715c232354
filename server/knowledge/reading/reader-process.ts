/** Runs in a sandbox: what is read here may be made to break its reader. */
import { framePieces } from "#server/sandbox/frames.ts";
import { answerAll } from "#server/sandbox/inside.ts";
import { type Refusal, refusalOf } from "#server/sandbox/refusals.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../read-document.ts";
import { splitPassages } from "../split-passages.ts";

/** Header of a question; its body is the file, or the text. */
export type ReaderQuestion = { read: { name: string } } | { split: true };

/** Header of an answer. With `document` the body is the text, with `passages` it is their JSON. */
export type ReaderAnswer = { document: { mime: string; title?: string } } | { passages: true } | { problem: Refusal };

const answer = (header: ReaderAnswer, body = "") => framePieces(header, [Buffer.from(body)]);

async function read(name: string, bytes: Buffer): Promise<Uint8Array[]> {
  try {
    const { text, ...facts } = await readDocument({ name, bytes });
    return answer({ document: facts }, text);
  } catch (error) {
    return answer({ problem: refusalOf(error) });
  }
}

await answerAll({ headerBytes: 64 * 1024, bodyBytes: MAX_DOCUMENT_BYTES }, async function* ({ header, body }) {
  const question = header as ReaderQuestion;
  if ("read" in question) yield read(question.read.name, body);
  else yield answer({ passages: true }, JSON.stringify(splitPassages(body.toString("utf8"))));
});
