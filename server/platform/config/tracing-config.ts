import type * as z from "zod";
import type { Environment } from "./environment.ts";

/** Export of traces (docs/decisions/014-metrics-alerts-and-traces.md). */
export interface TracingConfig {
  /** The collector's complete URL for traces, OTLP over HTTP. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** Additional resource attributes of this process in each trace. */
  attributes: Record<string, string>;
  sampler: { name: z.infer<typeof Environment>["OTEL_TRACES_SAMPLER"]; ratio: number };
}

/** Parses «a=1,b=2» with percent-encoding, OpenTelemetry's form of headers and attributes. */
const pairsOf = (listed: string): Record<string, string> =>
  Object.fromEntries(
    listed.split(",").flatMap((pair) => {
      const [name = "", ...value] = pair.split("=");
      return name.trim() === "" ? [] : [[name.trim(), decodeURIComponent(value.join("=").trim())]];
    }),
  );

export function tracingOf(env: z.infer<typeof Environment>): TracingConfig | null {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/(?<!\/)\/+$/, "");
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (url === undefined || env.OTEL_SDK_DISABLED) return null;
  const attributes = pairsOf(env.OTEL_RESOURCE_ATTRIBUTES);
  return {
    url,
    headers: pairsOf(env.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: env.OTEL_SERVICE_NAME ?? attributes["service.name"] ?? "digital-twins",
    attributes,
    sampler: { name: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
  };
}
