import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestApp, TestClient } from "../test-app.ts";
import type { Answer } from "./endpoint-bench.ts";

/** A request with the path as it stands: `inject` and `fetch` would tidy it up. The app must listen. */
export function rawRequest(
  t: TestApp,
  client: Pick<TestClient, "token">,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const { port } = t.app.server.address() as AddressInfo;
  const headers: Record<string, string> = { authorization: `Bearer ${client.token}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { statusCode, headers } = response;
      resolve({ statusCode: statusCode!, headers, body: Buffer.concat(chunks).toString() } as Answer);
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
