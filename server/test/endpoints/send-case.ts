import { once } from "node:events";
import type { TestClient } from "../test-app.ts";
import type { EndpointCase } from "./endpoint-case.ts";
import type { Things } from "./things.ts";

/** What a stream says first; then the reader leaves. */
async function firstOf(client: Pick<TestClient, "inject">, url: string) {
  const answer = await client.inject({ method: "GET", url, payloadAsStream: true });
  const stream = answer.stream();
  const [first] = (await once(stream, "data")) as [Buffer];
  stream.destroy();
  return Object.assign(answer, { body: String(first) });
}

/** Sends the case's request, with `changes` over its body's fields. */
export async function send(
  client: Pick<TestClient, "inject">,
  endpointCase: EndpointCase,
  key: string,
  things: Things,
  changes: Record<string, unknown> = {},
) {
  const method = key.split(" ")[0] as "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  const url = encodeURI(endpointCase.url(things));
  const body = endpointCase.body === undefined ? undefined : { ...endpointCase.body(things), ...changes };
  if (endpointCase.endless) return firstOf(client, url);
  if (endpointCase.bytes !== undefined) {
    const headers = { "content-type": "application/octet-stream" };
    return client.inject({ method, url, headers, payload: await endpointCase.bytes() });
  }
  if (endpointCase.file === undefined) {
    return client.inject({ method, url, ...(body === undefined ? {} : { payload: body }) });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  const content = await endpointCase.file.content();
  form.set("file", new Blob([new Uint8Array(content)]), endpointCase.file.name);
  return client.inject({ method, url, payload: form });
}
