import { outputGuard } from "#server/answers/output-guard/guard-output.ts";
import { upstream } from "#server/platform/errors.ts";
import {
  countTenantReply,
  lastHour,
  modelSeconds,
  type ReplyEngine,
  replies as repliesCounter,
} from "#server/platform/process/metrics.ts";
import { beginSpan, eachInSpan, type OpenSpan } from "#server/platform/process/tracing.ts";
import { addressSources } from "../checking/sources.ts";
import { type Generator, isModelAsked } from "../generator.ts";
import type { ReplyRequest } from "../reply-request.ts";

/**
 * Yields the guarded reply as text deltas. The first is empty and signals that the reply was not refused.
 * @throws Problem 429 before the first delta when the day's budget is spent; 502 when the model fails or writes nothing; the signal's
 * reason when aborted
 */
export async function* streamReply(
  generator: Generator,
  request: ReplyRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const span = beginSpan("reply generate");
  const count = startCount(generator, request, span);
  let outcome: Outcome = "aborted";
  let failure: unknown;
  try {
    yield* eachInSpan(span, guardedReply(generator, request, signal));
    outcome = "ok";
  } catch (error) {
    if (!signal.aborted) {
      outcome = "failed";
      failure = error;
    }
    throw error;
  } finally {
    count(outcome);
    span?.end(failure);
  }
}

type Outcome = "ok" | "failed" | "aborted";

/** Returns a function that counts the reply once it has ended, whatever the outcome. */
function startCount(generator: Generator, request: ReplyRequest, span: OpenSpan | null): (outcome: Outcome) => void {
  const began = performance.now();
  const asked: ReplyEngine = !isModelAsked(generator, request) ? "embedded" : generator.local ? "local" : "remote";
  return (outcome) => {
    const fellBack = outcome === "ok" && (generator.fellBack?.(request) ?? false);
    const notes = generator.notes?.(request)?.kind;
    const basis = notes === "unknown" || notes === "held" ? "unknown" : request.plan.kind;
    const labels = { basis, generator: asked, outcome: fellBack ? "fallback" : outcome };
    repliesCounter.inc(labels);
    span?.set({ "reply.basis": basis, "reply.generator": asked, "reply.outcome": labels.outcome });
    if (request.payer !== undefined) countTenantReply(request.payer.organizationId);
    if (asked === "embedded" || outcome === "aborted") return;
    modelSeconds.observe({ generator: asked }, (performance.now() - began) / 1000);
    lastHour.modelReplies.add();
    if (fellBack || outcome === "failed") lastHour.modelFailures.add();
  };
}

async function* guardedReply(generator: Generator, request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
  // Created with the first words, because a second look may add sources until then.
  let guard: ReturnType<typeof outputGuard> | null = null;
  let empty = true;
  let begun = false;
  const scripted = await request.tools?.begin(signal, request.ownerAnswers !== undefined || request.drafted === true);
  if (scripted != null) {
    yield "";
    yield scripted.text;
    return;
  }
  for await (const delta of generator.generate(request, signal)) {
    if (!begun) yield "";
    begun = true;
    if (delta === "") continue;
    guard ??= outputGuard(addressSources(request));
    const text = guard.push(delta);
    if (text === "") continue;
    empty = false;
    yield text;
  }
  const rest = guard?.end() ?? "";
  if (rest !== "") yield rest;
  else if (empty) throw upstream("empty_reply", "Модель вернула пустой ответ. Попробуйте еще раз.");
}
