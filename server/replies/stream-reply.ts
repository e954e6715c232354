import { upstream } from "#server/errors.ts";
import { outputGuard } from "#server/output-guard/guard-output.ts";
import {
  countTenantReply,
  lastHour,
  modelSeconds,
  type ReplyEngine,
  replies as repliesCounter,
} from "#server/process/metrics.ts";
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
  const count = startCount(generator, request);
  let outcome: Outcome = "aborted";
  try {
    yield* guardedReply(generator, request, signal);
    outcome = "ok";
  } catch (error) {
    if (!signal.aborted) outcome = "failed";
    throw error;
  } finally {
    count(outcome);
  }
}

type Outcome = "ok" | "failed" | "aborted";

/** Counts the reply once it has ended, however that was. */
function startCount(generator: Generator, request: ReplyRequest): (outcome: Outcome) => void {
  const began = performance.now();
  const asked: ReplyEngine = generator.name === "embedded" ? "embedded" : generator.local ? "local" : "remote";
  return (outcome) => {
    const fellBack = outcome === "ok" && (generator.fellBack?.(request) ?? false);
    const notes = generator.notes?.(request)?.kind;
    const basis = notes === "unknown" || notes === "held" ? "unknown" : request.plan.kind;
    repliesCounter.inc({ basis, generator: asked, outcome: fellBack ? "fallback" : outcome });
    if (request.payer !== undefined) countTenantReply(request.payer.organizationId);
    if (asked === "embedded" || outcome === "aborted") return;
    modelSeconds.observe({ generator: asked }, (performance.now() - began) / 1000);
    lastHour.modelReplies.add();
    if (fellBack || outcome === "failed") lastHour.modelFailures.add();
  };
}

async function* guardedReply(generator: Generator, request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
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
