/** The common part of the local servers of platforms: HTTP on a free port, and every way in which a send may go wrong. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface ProviderRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** The same, before it was read as UTF-8. */
  raw: Buffer;
}

export interface Provider {
  /** http://127.0.0.1:PORT */
  root: string;
  server: Server;
  close(): Promise<void>;
}

/** @param port a free port when absent */
export async function startProvider(
  handle: (request: ProviderRequest, response: ServerResponse) => void | Promise<void>,
  port = 0,
): Promise<Provider> {
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://provider");
    const { method = "GET", headers } = request;
    const raw = Buffer.concat(chunks);
    await handle({ method, path: pathname, query: searchParams, headers, body: raw.toString(), raw }, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** What happens to the next send to a contact; without an entry it is delivered. */
type Fate =
  | { kind: "refused"; status: number; body: unknown; headers?: Record<string, string> }
  /** The message is not delivered, and the request is not answered. */
  | { kind: "hang" }
  /** The message is delivered, and the request is not answered. */
  | { kind: "hang-after-accept" }
  /** The message is delivered, and the connection is reset before the answer. */
  | { kind: "reset-after-accept" };

/** Fates by contact, so that many contacts can be tried at once. */
export class Fates {
  private readonly next = new Map<string, Fate[]>();

  await(contact: string, ...fates: Fate[]): void {
    this.next.set(contact, [...(this.next.get(contact) ?? []), ...fates]);
  }

  /** `deliver` stores the message and returns the platform's answer. */
  meet(contact: string, response: ServerResponse, deliver: () => unknown): void {
    const fate = this.next.get(contact)?.shift();
    if (fate?.kind === "hang") return;
    if (fate?.kind === "refused") {
      answer(response, fate.status, fate.body, fate.headers);
      return;
    }
    const delivered = deliver();
    if (fate?.kind === "hang-after-accept") return;
    if (fate?.kind === "reset-after-accept") response.socket?.resetAndDestroy();
    else answer(response, 200, delivered);
  }
}
