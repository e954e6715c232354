/**
 * Traces (docs/decisions/014-metrics-alerts-and-traces.md). This file loads nothing: where no collector is set, each function runs its work and no more. Names and
 * attributes are words of the program and figures; never what anybody wrote, an address, a token or an id, but for a request's own.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export type SpanKind = "internal" | "server" | "client" | "consumer";
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** W3C traceparent of the caller; the span continues in that trace. */
  parent?: string | undefined;
  /** W3C traceparent of what has caused this, in a trace of its own. */
  cause?: string | undefined;
}

/** A span that has begun. */
export interface OpenSpan {
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param error what has ended it, of which only the kind is kept */
  end(error?: unknown): void;
  /** A statement of the database has ended; the span tells their number and time. */
  countStatement(ms: number): void;
}

export interface Tracing {
  begin(name: string, options: SpanOptions, parent: OpenSpan | undefined): OpenSpan;
  /** Sends what has not been sent. */
  end(): Promise<void>;
}

let tracing: Tracing | null = null;
const current = new AsyncLocalStorage<OpenSpan>();

/** Set once, before the database is opened; null: no traces. */
export function traceWith(chosen: Tracing | null): void {
  tracing = chosen;
}

export const isTracing = (): boolean => tracing !== null;
export const currentSpan = (): OpenSpan | undefined => (tracing === null ? undefined : current.getStore());
export const endTracing = async (): Promise<void> => tracing?.end();

/** For what begins and ends in different places; null without tracing. */
export function beginSpan(name: string, options: SpanOptions = {}): OpenSpan | null {
  return tracing?.begin(name, options, options.parent || options.cause ? undefined : current.getStore()) ?? null;
}

/** Runs `work` so that what it begins belongs to this span. */
export function inSpan<T>(span: OpenSpan | null | undefined, work: () => T): T {
  return span ? current.run(span, work) : work();
}

/** Runs `work` as a span of its own. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, options);
  if (span === null) return work();
  try {
    const result = await inSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The same for what comes piece by piece; the caller ends the span. */
export async function* eachInSpan<T, Result>(
  span: OpenSpan | null,
  pieces: AsyncGenerator<T, Result>,
): AsyncGenerator<T, Result> {
  if (span === null) return yield* pieces;
  try {
    for (;;) {
      const next = await inSpan(span, () => pieces.next());
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    await inSpan(span, () => pieces.return(undefined as Result));
  }
}

/** Adds to the span in which the caller runs. */
export function addSpanAttributes(attributes: SpanAttributes): void {
  currentSpan()?.set(attributes);
}
