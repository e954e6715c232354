import { upstream } from "#server/errors.ts";
import { outputGuard } from "#server/output-guard/guard-output.ts";
import { addressSources } from "./checking/sources.ts";
import type { Generator, ReplyRequest } from "./generators/generator.ts";

/**
 * The guarded reply as text deltas. The first is empty and tells that the reply was not refused.
 * @throws Problem 429 before the first delta when the day's budget is spent; 502 when the model fails or says nothing; the signal's
 * reason when aborted
 */
export async function* streamReply(
  generator: Generator,
  request: ReplyRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const guard = outputGuard(addressSources(request));
  let empty = true;
  let begun = false;
  for await (const delta of generator.generate(request, signal)) {
    if (!begun) yield "";
    begun = true;
    const text = guard.push(delta);
    if (text === "") continue;
    empty = false;
    yield text;
  }
  const rest = guard.end();
  if (rest !== "") yield rest;
  else if (empty) throw upstream("empty_reply", "Модель вернула пустой ответ. Попробуйте еще раз.");
}
