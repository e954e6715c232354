/** Reads documents in a sandboxed process, because a file may be crafted to attack its reader. */
import { framePieces } from "#server/platform/sandbox/frames.ts";
import { type Refusal, refusalOf } from "#server/platform/sandbox/refusals.ts";
import { serveRequests } from "#server/platform/sandbox/serve-requests.ts";
import { pageFactsOf, sitemapLinks } from "../page-facts.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../read-document.ts";
import { splitChunks } from "../split-chunks.ts";

/** Header of a request frame; the body is the file or the text. */
export type ReaderQuestion =
  | { read: { name: string } }
  | { split: true }
  | { page: { html: boolean; robot: string } }
  | { sitemap: true };

/** Header of a response frame. With `document` the body is the text; with `json` it is JSON. */
export type ReaderAnswer = { document: { mime: string; title?: string } } | { json: true } | { problem: Refusal };

const answer = (header: ReaderAnswer, body = "") => framePieces(header, [Buffer.from(body)]);

async function read(name: string, bytes: Buffer): Promise<Uint8Array[]> {
  try {
    const { text, ...facts } = await readDocument({ name, bytes });
    return answer({ document: facts }, text);
  } catch (error) {
    return answer({ problem: refusalOf(error) });
  }
}

function readPage(bytes: Buffer, { html, robot }: { html: boolean; robot: string }): Uint8Array[] {
  try {
    return answer({ json: true }, JSON.stringify(pageFactsOf(bytes, html, robot)));
  } catch (error) {
    return answer({ problem: refusalOf(error) });
  }
}

await serveRequests({ headerBytes: 64 * 1024, bodyBytes: MAX_DOCUMENT_BYTES }, async function* ({ header, body }) {
  const question = header as ReaderQuestion;
  if ("read" in question) yield read(question.read.name, body);
  else if ("page" in question) yield readPage(body, question.page);
  else if ("sitemap" in question) yield answer({ json: true }, JSON.stringify(sitemapLinks(body.toString("utf8"))));
  else yield answer({ json: true }, JSON.stringify(splitChunks(body.toString("utf8"))));
});
