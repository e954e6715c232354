/** A collector of traces for tests: OTLP over HTTP as JSON. */
import { answer, startProvider } from "./provider-server.ts";

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}
interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

export interface CollectedSpan extends Omit<WireSpan, "attributes"> {
  attributes: Record<string, string | number | boolean | undefined>;
}

export interface OtlpCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  root: string;
  /** In the order in which they have ended. */
  spans: CollectedSpan[];
  /** The bodies as they came, and the headers of the last one. */
  bodies: string[];
  headers: Record<string, string | string[] | undefined>;
  /** Attributes of the process. */
  resource: CollectedSpan["attributes"];
  close(): Promise<void>;
}

const readValue = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
const attributesOf = (listed: WireSpan["attributes"]) =>
  Object.fromEntries(listed.map(({ key, value }) => [key, readValue(value)]));

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const { root, close } = await startProvider(({ method, path, headers, body }, response) => {
    if (method !== "POST" || path !== "/v1/traces") return answer(response, 404, {});
    started.bodies.push(body);
    started.headers = headers;
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { resource: { attributes: WireSpan["attributes"] }; scopeSpans: { spans: WireSpan[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      started.resource = attributesOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        started.spans.push({ ...span, attributes: attributesOf(span.attributes) });
      }
    }
    answer(response, 200, {});
  });
  const started: OtlpCollector = { root, spans: [], bodies: [], headers: {}, resource: {}, close };
  return started;
}
