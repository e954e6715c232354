/** One visit to an MCP server over streamable HTTP. It can call nothing back: no sampling, elicitation, roots or streams are offered. */

import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import * as z from "zod/mini";
import { TOOL_ANSWER_BYTES, TOOL_TIMEOUT_MS } from "#contract/actions/tool-settings.ts";
import type { ProxySettings } from "#server/platform/network/connect.ts";
import { publicFetch } from "./public-fetch.ts";
import { troubleOf } from "./trouble.ts";

export interface ServerPlace {
  url: string;
  /** With the key or token. */
  headers: Readonly<Record<string, string>>;
  /** Whether this machine may be asked, in tests only. */
  loopback: boolean;
  /** null: it is visited directly. */
  proxy: ProxySettings | null;
  signal: AbortSignal;
}

export interface Visit {
  /** How the server introduces itself, as it says. */
  server: string;
  /** @throws ServerTrouble */
  request(method: string, params: Record<string, unknown>, maxBytes?: number): Promise<unknown>;
}

/** Milliseconds in which a server may end its session; nobody waits for it. */
const GOODBYE_MS = 2000;

const Anything = z.looseObject({});

/**
 * Everything of one visit shares one deadline.
 * @param provider signs in where the server asks for it, instead of the headers
 * @throws ServerTrouble
 */
export async function visitServer<T>(
  { url, headers, loopback, proxy, signal }: ServerPlace,
  work: (visit: Visit) => Promise<T>,
  provider?: OAuthClientProvider,
): Promise<T> {
  // Lazy imports, because most installations never call such a server.
  const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  ]);
  const over = new AbortController();
  let maxBytes = TOOL_ANSWER_BYTES;
  let first: unknown = null;
  const limits = AbortSignal.any([signal, over.signal, AbortSignal.timeout(TOOL_TIMEOUT_MS)]);
  const asked = publicFetch({
    ...{ loopback, proxy, signal: limits, timeoutMs: TOOL_TIMEOUT_MS, maxBytes: () => maxBytes },
    onFault: (error) => {
      first ??= error;
    },
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (to, init) => {
      // The stream by which a server would speak unasked.
      if ((init?.method ?? "GET") === "GET" && new Headers(init?.headers).get("accept") === "text/event-stream")
        return new Response(null, { status: 405 });
      return asked(to, init);
    },
    requestInit: { headers: { ...headers } },
    ...(provider === undefined ? {} : { authProvider: provider }),
  });
  const client = new Client({ name: "digital-twins", version: "1.0.0" }, { capabilities: {} });
  // A broken stream would otherwise be waited for until the deadline. What else the client reports concerns no answer of ours.
  client.onerror = (error) => {
    if (!isBroken(error)) return;
    first ??= error;
    over.abort(error);
  };
  const options = { signal: limits, timeout: TOOL_TIMEOUT_MS };
  try {
    await client.connect(transport as Parameters<Client["connect"]>[0], options);
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    return await work({
      server: `${name} ${version}`.trim(),
      async request(method, params, bytes = TOOL_ANSWER_BYTES) {
        maxBytes = bytes;
        // Not `listTools` and `callTool`: they compile the schemas of the server, with its regular expressions.
        try {
          return await client.request({ method, params } as never, Anything as never, options);
        } catch (error) {
          throw troubleOf(first ?? error);
        }
      },
    });
  } catch (error) {
    throw troubleOf(first ?? error);
  } finally {
    client.onerror = () => {};
    void goodbye(client, transport);
  }
}

const isBroken = ({ name, message }: Error): boolean =>
  message.startsWith("SSE stream disconnected") || name === "SyntaxError" || name.endsWith("ZodError");

async function goodbye(client: Client, transport: { terminateSession(): Promise<void> }): Promise<void> {
  const ended = transport.terminateSession().catch(() => {});
  await Promise.race([ended, new Promise((done) => setTimeout(done, GOODBYE_MS).unref())]);
  await client.close().catch(() => {});
}
