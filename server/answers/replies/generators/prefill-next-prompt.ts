import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import type { ModelHost } from "#server/models/host/model-host.ts";
import { buildPrompt, type PromptOptions } from "../prompt/prompt.ts";
import type { ReplyRequest } from "../reply-request.ts";

interface Left {
  prompt: PromptOptions;
  said: string;
}

/**
 * Lets the idle model read the start of the next prompt, including this message and its reply. Only the last turn of that prompt is then
 * new (docs/decisions/025-answer-pipeline-and-prompts.md).
 */
export function prefillNextPrompt(host: ModelHost, request: ReplyRequest, { prompt, said }: Left): void {
  const { message, history, background, drafted } = request;
  // No message follows a measurement, and the owner may still change a draft.
  if (background || drafted) return;
  // A calling program will send this reply as part of its history, like the earlier ones.
  const claimed = history.some((turn) => turn.claimed);
  const turnsSoFar: HistoryTurn[] = [
    ...history,
    { role: "user", content: message },
    { role: "assistant", content: said, ...(claimed && { claimed }) },
  ];
  // A program sends its whole conversation each time; elsewhere the oldest turns drop out.
  const seen = turnsSoFar.slice(history.length > MAX_HISTORY_TURNS ? 0 : -MAX_HISTORY_TURNS);
  const { system, messages, still } = buildPrompt({ ...request, history: seen }, prompt);
  if (!still) return;
  const prefix = [{ role: "system" as const, content: system }, ...messages.slice(0, -1)];
  void host.prefill({ turns: prefix });
}
