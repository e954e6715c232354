import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import type { Voice } from "#server/models/local/adapters/twin-voices.ts";
import type { ModelHost } from "#server/models/local/model-host.ts";
import { buildPrompt, type PromptOptions } from "../prompt/prompt.ts";
import type { ReplyRequest } from "../reply-request.ts";

interface Left {
  /** The options that the reply's own prompt was built with. */
  prompt: PromptOptions;
  voice: Voice | null;
  /** The reply that was sent. */
  said: string;
}

/**
 * Has the model read the beginning of the next message's prompt while nobody waits, this message and its reply included. Then only the last turn of
 * that prompt is new (docs/decisions/025-answer-pipeline-and-prompts.md).
 */
export function prefillNextPrompt(host: ModelHost, request: ReplyRequest, { prompt, voice, said }: Left): void {
  const { message, history, background, drafted } = request;
  // No message follows a measurement, and the owner may still change a draft.
  if (background || drafted) return;
  // A program brings this reply along as it has brought the earlier ones.
  const claimed = history.some((turn) => turn.claimed);
  const turnsSoFar: HistoryTurn[] = [
    ...history,
    { role: "user", content: message },
    { role: "assistant", content: said, ...(claimed && { claimed }) },
  ];
  // A program that asks with a longer conversation shows all of it each time; elsewhere its beginning goes out of sight.
  const seen = turnsSoFar.slice(history.length > MAX_HISTORY_TURNS ? 0 : -MAX_HISTORY_TURNS);
  const { system, messages, still } = buildPrompt({ ...request, history: seen }, prompt);
  if (!still) return;
  const prefix = [{ role: "system" as const, content: system }, ...messages.slice(0, -1)];
  void host.prefill({ turns: prefix, adapter: voice?.path ?? null });
}
