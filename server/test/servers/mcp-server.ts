/** An MCP server over streamable HTTP, made with the library's own server part, and the OAuth server in front of it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type AuthServer, authServer } from "./mcp-auth-server.ts";

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { type: "object"; [more: string]: unknown };
  annotations?: Record<string, unknown>;
}

export interface McpCall {
  name: string;
  arguments: Record<string, unknown>;
  meta: Record<string, unknown> | undefined;
}

/** hang: it never answers. reset: the connection ends after the call has arrived. */
export type McpAnswer = Record<string, unknown> | "hang" | "reset";

export interface McpServer {
  /** Address of the MCP endpoint. */
  url: string;
  origin: string;
  tools: ListedTool[];
  calls: McpCall[];
  /** Methods of all messages, in their order. */
  methods: string[];
  /** What the client declared that a server may ask of it. */
  capabilities: unknown[];
  /** By the name of the action. */
  answers: Map<string, McpAnswer>;
  /** Required headers by name; null: none. */
  key: { name: string; value: string } | null;
  /** Answers every request instead of the server; null: nothing does. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** plain: each request stands alone, answered by a stream. json: answered without one. sessions: the server knows its visitors. */
  way: "plain" | "json" | "sessions";
  /** Sessions that the client has ended. */
  ended: number;
  /** Asks the client to do this while a call is answered. */
  asksBack: string | null;
  /** What came of it. */
  askedBack: unknown[];
  auth: AuthServer;
  reset(): void;
  close(): Promise<void>;
}

/** Where an order is, for everybody who names it; and a booking, which changes something. */
export const SHOP_TOOLS: ListedTool[] = [
  {
    name: "order_status",
    title: "Order status",
    description: "Returns the state of an order",
    inputSchema: {
      type: "object",
      properties: { order_id: { type: "string", title: "Order number", description: "As on the receipt" } },
      required: ["order_id"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "create_booking",
    description: "Books a visit",
    inputSchema: {
      type: "object",
      properties: {
        date: { type: "string", format: "date" },
        guests: { type: "integer" },
        hall: { type: "string", enum: ["main", "terrace"] },
        children: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["date", "guests"],
    },
  },
  {
    name: "import_rows",
    description: "Imports rows",
    inputSchema: { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] },
  },
];

export async function startMcpServer(): Promise<McpServer> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => void handle(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const state: McpServer = {
    ...{ url: `${origin}/mcp`, origin, tools: [], calls: [], methods: [], capabilities: [], answers: new Map() },
    ...{ way: "plain", ended: 0, key: null, instead: null, asksBack: null, askedBack: [], auth: authServer(origin) },
    reset() {
      const clean = {
        tools: structuredClone(SHOP_TOOLS),
        way: "plain",
        ended: 0,
        key: null,
        instead: null,
        asksBack: null,
      };
      Object.assign(state, clean, { calls: [], methods: [], capabilities: [], askedBack: [] });
      state.answers.clear();
      state.auth.reset();
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  state.reset();

  async function handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (state.instead !== null) return state.instead(request, response);
    if (await state.auth.handle(request, response, body)) return;
    const { key } = state;
    if (key !== null && request.headers[key.name.toLowerCase()] !== key.value) {
      response.writeHead(401).end();
      return;
    }
    const message = body === "" ? null : JSON.parse(body);
    if (message?.method !== undefined) state.methods.push(message.method);
    if (message?.method === "initialize") state.capabilities.push(message.params.capabilities);
    const known = visits.get(String(request.headers["mcp-session-id"] ?? ""));
    const transport = known ?? (await transportFor(response));
    await transport.handleRequest(request, response, message ?? undefined);
  }

  const visits = new Map<string, StreamableHTTPServerTransport>();

  async function transportFor(response: ServerResponse): Promise<StreamableHTTPServerTransport> {
    const server = serverOf(response);
    const transport = new StreamableHTTPServerTransport(
      state.way === "sessions"
        ? {
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => void visits.set(id, transport),
            onsessionclosed: () => void state.ended++,
          }
        : { enableJsonResponse: state.way === "json" },
    );
    await server.connect(transport as Parameters<Server["connect"]>[0]);
    if (state.way !== "sessions") response.on("close", () => void server.close());
    return transport;
  }

  function serverOf(response: ServerResponse): Server {
    const server = new Server({ name: "Лавка", version: "2.1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: state.tools }) as never);
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      state.calls.push({ name: params.name, arguments: params.arguments ?? {}, meta: params._meta });
      if (state.asksBack !== null) {
        const asked = server.request({ method: state.asksBack, params: {} } as never, {} as never, { timeout: 500 });
        state.askedBack.push(await asked.catch((error: Error) => error.message));
      }
      const answer = state.answers.get(params.name) ?? {
        content: [{ type: "text", text: "нет такого" }],
        isError: true,
      };
      if (answer === "hang") return new Promise(() => {});
      if (answer === "reset") {
        response.destroy();
        return new Promise(() => {});
      }
      return answer as never;
    });
    return server;
  }
  return state;
}

export const textAnswer = (text: string): McpAnswer => ({ content: [{ type: "text", text }] });
