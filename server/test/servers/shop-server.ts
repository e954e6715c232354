/** An invented system of an owner: answers as a test says, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ShopRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface ShopServer {
  origin: string;
  requests: ShopRequest[];
  /** Answers by path without the query; `hang` never answers, `reset` ends the connection after the request has arrived. */
  answers: Map<string, ShopAnswer>;
  close(): Promise<void>;
}

export type ShopAnswer =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | "hang"
  | "reset";

export async function startShopServer(): Promise<ShopServer> {
  const requests: ShopRequest[] = [];
  const answers = new Map<string, ShopAnswer>();
  const answer = (request: ShopRequest, response: ServerResponse) => {
    requests.push(request);
    const given = answers.get(request.path.split("?")[0]!) ?? { status: 404, json: { error: "not found" } };
    if (given === "hang") return;
    if (given === "reset") {
      response.destroy();
      return;
    }
    const { status = 200, json, text, headers = {} } = given;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text ?? JSON.stringify(json));
  };
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      answer({ method, path: url, headers, body: Buffer.concat(chunks).toString() }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
