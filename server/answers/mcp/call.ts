/** Calls one action of a server, once: what was sent and not answered is never sent again. */
import { TOOL_ANSWER_BYTES } from "#contract/actions/tool-settings.ts";
import type { Visit } from "./session.ts";
import { troubleOf } from "./trouble.ts";

/** failed: it was surely not done. lost: it may have been done. */
export type ActionAnswer =
  | { kind: "answered"; text: string; json: unknown }
  | { kind: "failed" | "lost"; reason: string; text: string };

interface Answer {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
}

/** @param idempotencyKey stands in `_meta`; nothing is assumed of a server that does not know it */
export async function callAction(
  visit: Visit,
  { name, values, idempotencyKey }: { name: string; values: Record<string, unknown>; idempotencyKey: string | null },
): Promise<ActionAnswer> {
  const meta = idempotencyKey === null ? {} : { _meta: { "idempotency-key": idempotencyKey } };
  let answer: Answer;
  try {
    answer = (await visit.request("tools/call", { name, arguments: values, ...meta }, TOOL_ANSWER_BYTES)) as Answer;
  } catch (error) {
    const trouble = troubleOf(error);
    return { kind: trouble.kind === "lost" ? "lost" : "failed", reason: trouble.message, text: "" };
  }
  const said = textIn(answer.content);
  if (answer.isError === true) return { kind: "failed", reason: "Сервер ответил, что не получилось", text: said };
  const { structuredContent } = answer;
  if (typeof structuredContent === "object" && structuredContent !== null)
    return { kind: "answered", text: JSON.stringify(structuredContent), json: structuredContent };
  return { kind: "answered", text: said, json: parsed(said) };
}

/** The texts of an answer; pictures, sounds and links are no answer. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .slice(0, 50)
    .flatMap((part) => (typeof part?.text === "string" && part.type === "text" ? [part.text as string] : []))
    .join("\n");
}

/** @returns undefined for what is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
