/** Gives the parts of a streamed completion the form that OpenAI documents, because compatible servers differ in it. */
import { contentText } from "#server/models/remote/content-text.ts";

/** Characters of one line; a longer one passes as it is. */
const LINE_CHARS = 2_000_000;

type Part = Record<string, unknown>;

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value);

/** A time as text or as a date is no number of seconds; it is not used, so it may be left out. */
export const uniformEnvelope = ({ created, ...rest }: Part): Part =>
  typeof created === "number" || created === undefined
    ? { ...rest, ...(created === undefined ? {} : { created }) }
    : rest;

/** @param spoken whether a part before has had text: a whole message at the end then only repeats it */
function uniformPart(part: Part, spoken: boolean): { part: Part; speaks: boolean } {
  let speaks = false;
  const choices = (Array.isArray(part.choices) ? part.choices : []).filter(isPart).map((choice) => {
    const { message, delta, ...rest } = choice;
    const said = isPart(delta) ? delta : isPart(message) && !spoken ? message : {};
    const text = contentText(said.content);
    if (text) speaks = true;
    return { index: 0, ...rest, delta: { ...said, ...(text === null ? {} : { content: text }) } };
  });
  const { choices: _, ...envelope } = uniformEnvelope(part);
  return { part: isPart(part.error) || part.error ? part : { ...envelope, choices }, speaks };
}

/** Rewrites the lines of a stream of server-sent events; what is no JSON object passes as it is. */
export function uniformChunks(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The beginning of a line whose end has not arrived; a server may send megabytes without any. */
  let pending: string[] = [];
  let spoken = false;
  const rewritten = (line: string): string => {
    const data = /^data:\s*(\{.*)$/.exec(line)?.[1];
    if (data === undefined || data.length > LINE_CHARS) return line;
    let read: unknown;
    try {
      read = JSON.parse(data);
    } catch {
      return line;
    }
    if (!isPart(read)) return line;
    const { part, speaks } = uniformPart(read, spoken);
    spoken ||= speaks;
    return `data: ${JSON.stringify(part)}`;
  };
  const pass = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    const lines = text.split("\n");
    const unfinished = lines.pop()!;
    if (lines.length > 0) {
      lines[0] = [...pending, lines[0]].join("");
      pending = [];
      controller.enqueue(encoder.encode(lines.map((line) => `${rewritten(line)}\n`).join("")));
    }
    if (unfinished !== "") pending.push(unfinished);
  };
  return new TransformStream({
    transform: (chunk, controller) => pass(decoder.decode(chunk, { stream: true }), controller),
    flush(controller) {
      pass(decoder.decode(), controller);
      if (pending.length > 0) controller.enqueue(encoder.encode(rewritten(pending.join(""))));
    },
  });
}
