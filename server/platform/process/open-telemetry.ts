/** OpenTelemetry's SDK behind `tracing.ts`; imported only when a collector is set. */
import { hostname } from "node:os";
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "#server/platform/config/tracing-config.ts";
import type { Log } from "#server/platform/log.ts";
import type { SpanKind as Kind, OpenSpan, Tracing } from "./tracing.ts";

const KINDS: Record<Kind, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};
/** Spans beyond the queue's size are dropped, because an unreachable collector must not cost memory. */
const BATCH = { maxQueueSize: 2048, maxExportBatchSize: 512 };
/** An unreachable collector is logged at most once in this time. */
const COMPLAIN_MS = 600_000;
/** How long the exit of the process waits for the collector, ms. */
const ENDING_MS = 2000;

/** @param version of the product @param delayMs how long spans are batched before they are sent */
export function openTelemetry(
  config: TracingConfig,
  { log, version, delayMs = 5000 }: { log: Log; version: string; delayMs?: number },
): Tracing {
  complainTo(log);
  const exporter = new OTLPTraceExporter({ url: config.url, headers: config.headers });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "host.name": hostname(),
      "process.pid": process.pid,
      "service.version": version,
      ...config.attributes,
      "service.name": config.serviceName,
    }),
    sampler: samplerOf(config.sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...BATCH, scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer("digital-twins", version);
  const contexts = new WeakMap<OpenSpan, Context>();
  return {
    begin(name, { kind = "internal", attributes = {}, parent, cause }, around) {
      const context = (around && contexts.get(around)) ?? remote(parent) ?? ROOT_CONTEXT;
      const link = trace.getSpanContext(remote(cause) ?? ROOT_CONTEXT);
      const options = { kind: KINDS[kind], attributes, ...(link && { links: [{ context: link }] }) };
      return open(tracer, name, options, context, contexts);
    },
    async end() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ENDING_MS);
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

function open(
  tracer: Tracer,
  name: string,
  options: { kind: SpanKind; attributes: Attributes },
  context: Context,
  contexts: WeakMap<OpenSpan, Context>,
): OpenSpan {
  const span = tracer.startSpan(name, options, context);
  let statements = 0;
  let statementsMs = 0;
  const opened: OpenSpan = {
    traceparent: traceparentOf(span),
    set: (attributes) => void span.setAttributes(attributes),
    countStatement(ms) {
      statements++;
      statementsMs += ms;
    },
    end(error) {
      if (statements > 0) span.setAttributes({ "db.statements": statements, "db.ms": Math.round(statementsMs) });
      if (error !== undefined) {
        span.setAttribute("error.type", errorType(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
  contexts.set(opened, trace.setSpan(context, span));
  return opened;
}

/** Returns the error's code or class, because a message may quote anything. */
function errorType(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "string" && /^[\w-]{1,60}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : typeof error;
}

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

function remote(traceparent: string | undefined): Context | undefined {
  const [, traceId, spanId, flags] = PARENT.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function samplerOf({ name, ratio }: TracingConfig["sampler"]): Sampler {
  const root = name.endsWith("always_on")
    ? new AlwaysOnSampler()
    : name.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function complainTo(log: Log): void {
  let last = Number.NEGATIVE_INFINITY;
  const complain = (message: string) => {
    if (performance.now() - last < COMPLAIN_MS) return;
    last = performance.now();
    log.warn({ reason: message.slice(0, 300) }, "traces could not be sent");
  };
  const silent = () => {};
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
