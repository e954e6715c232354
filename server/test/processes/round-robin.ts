/** A balancer as small as can be: each request goes to the next server, once more to another one where that does not answer. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface RoundRobin {
  /** `http://127.0.0.1:port` */
  url: string;
  /** URLs of the servers, whether they run or not. */
  targets: string[];
  counts: {
    requests: number;
    /** Requests that went to a second server. */
    retried: number;
    /** Requests that the second server did not answer either. */
    failed: number;
  };
  close(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((request, response) => {
    void balance(request, response).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const balancer: RoundRobin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets: [],
    counts: { requests: 0, retried: 0, failed: 0 },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return balancer;

  async function balance(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { targets, counts } = balancer;
    const body = Buffer.concat(await request.toArray());
    counts.requests++;
    const first = targets[turn++ % targets.length]!;
    const second = targets.find((target) => target !== first) ?? first;
    let answer = await ask(first, request, body);
    if (answer === null) {
      counts.retried++;
      answer = await ask(second, request, body);
    }
    if (answer === null) {
      counts.failed++;
      response.writeHead(502).end();
      return;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    response.flushHeaders();
    response.once("close", () => answer.destroy());
    answer.once("error", () => response.destroy());
    answer.pipe(response);
  }
}

/** null: there is no answer, or one that asks to come again. */
function ask(target: string, { url, method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    // A connection each: an idle one may be closed by a server that stops while a request is on its way.
    const call = httpRequest(`${target}${url}`, { method, headers: { ...headers, connection: "close" }, agent: false });
    call.once("error", () => resolve(null));
    call.once("response", (answer) => {
      if (answer.statusCode !== 503) return resolve(answer);
      answer.resume();
      resolve(null);
    });
    call.end(body);
  });
}
