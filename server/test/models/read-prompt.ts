import { buildPrompt } from "#server/answers/replies/prompt/prompt.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";

/** All that a model gets for a reply but the message itself, which its author may know. */
export function promptWithoutMessage(request: ReplyRequest): string {
  const { system, messages } = buildPrompt(request);
  const said = [system, ...messages.map(({ content }) => content)].join("\n");
  if (!said.endsWith(request.message)) throw new Error("The message does not stand last");
  return said.slice(0, -request.message.length);
}
