/**
 * Traces (docs/decisions/014-metrics-alerts-and-traces.md). Without a collector each function only runs its work, and no library is loaded.
 * Names and attributes are the program's own words and figures: never user text, addresses, tokens or ids, except a request's own id.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export type SpanKind = "internal" | "server" | "client" | "consumer";
type SpanAttributes = Record<string, string | number | boolean>;

interface SpanOptions {
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** W3C traceparent of the caller; the span continues in that trace. */
  parent?: string | undefined;
  /** W3C traceparent of the trace that caused this span; the span starts a trace of its own and links to it. */
  cause?: string | undefined;
}

export interface OpenSpan {
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param error the cause of the span's end, of which only the kind is recorded */
  end(error?: unknown): void;
  /** Counts a completed database statement; the span reports their number and total time. */
  countStatement(ms: number): void;
}

export interface Tracing {
  begin(name: string, options: SpanOptions, parent: OpenSpan | undefined): OpenSpan;
  end(): Promise<void>;
}

let tracing: Tracing | null = null;
const current = new AsyncLocalStorage<OpenSpan>();

/** Call it once, before the database is opened; null: no traces. */
export function traceWith(chosen: Tracing | null): void {
  tracing = chosen;
}

export const isTracing = (): boolean => tracing !== null;
export const currentSpan = (): OpenSpan | undefined => (tracing === null ? undefined : current.getStore());
export const endTracing = async (): Promise<void> => tracing?.end();

/** Begins a span whose end is in another place; null without tracing. */
export function beginSpan(name: string, options: SpanOptions = {}): OpenSpan | null {
  return tracing?.begin(name, options, options.parent || options.cause ? undefined : current.getStore()) ?? null;
}

/** Runs `work` inside this span, so that spans begun within it become its children. */
export function inSpan<T>(span: OpenSpan | null | undefined, work: () => T): T {
  return span ? current.run(span, work) : work();
}

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

/** The same for an async iterable; the caller ends the span. */
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

export function addSpanAttributes(attributes: SpanAttributes): void {
  currentSpan()?.set(attributes);
}
