/** Serves a twin to AI assistants by the Model Context Protocol over Streamable HTTP (specification 2025-06-18), without sessions. */

import * as z from "zod";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { invalid, type Problem } from "#server/platform/errors.ts";
import { answerByKey } from "./answer.ts";
import { getDraft, listDrafts } from "./drafts.ts";
import { countCalls, type KeyCaller } from "./key-caller.ts";
import type { KeyDeps } from "./key-deps.ts";

const QUESTION_CHARS = 8000;
/** Maximum messages in one request. Only an older version of the protocol has batches, and its clients send few messages. */
export const BATCH_MESSAGES = 20;

/**
 * Counts the further messages of a batch as calls, before any of them is answered.
 * @param body of a request that was counted as one call
 * @throws Problem 400 for a batch that is too long, 429
 */
export async function admitBatch(db: KeyDeps["db"], caller: KeyCaller, body: unknown): Promise<void> {
  if (!Array.isArray(body)) return;
  if (body.length > BATCH_MESSAGES) {
    throw invalid("batch_too_long", `В одном запросе не больше ${BATCH_MESSAGES} сообщений, а пришло ${body.length}`);
  }
  if (body.length > 1) await countCalls(db, caller, body.length - 1);
}

/**
 * Answers one call of the protocol. The key's scopes decide which tools exist: asking, and reading drafts. No tool can send messages.
 * @param body the parsed message
 */
export async function answerMcp(deps: KeyDeps, caller: KeyCaller, call: Request, body: unknown): Promise<Response> {
  // Lazy import, because most installations never receive such a call.
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  const server = new McpServer({
    name: "digital-twins",
    title: `Двойник «${publicNameOf(caller.twin)}»`,
    version: "1.0.0",
  });
  const readOnly = { readOnlyHint: true, openWorldHint: false };

  if (caller.scopes.includes("ask")) {
    server.registerTool(
      "ask_twin",
      {
        title: "Спросить двойника",
        description: `Задаёт вопрос цифровому двойнику «${publicNameOf(caller.twin)}»; он отвечает по документам и в манере владельца.`,
        inputSchema: {
          message: z.string().trim().min(1).max(QUESTION_CHARS).describe("Вопрос"),
          user: z.string().trim().min(1).max(200).optional().describe("Кто спрашивает: у каждого свой диалог"),
        },
        annotations: { ...readOnly, readOnlyHint: false, destructiveHint: false },
      },
      ({ message, user }, { signal }) =>
        told(deps, async () => {
          const question = { text: message, history: [], tokens: tokensOf(message), user: user ?? null };
          for await (const event of answerByKey(deps, caller, question, signal)) {
            if (event.type === "done") return event.text;
          }
          throw new Error("A reply ended without its last event");
        }),
    );
  }
  if (caller.scopes.includes("drafts")) {
    server.registerTool(
      "list_drafts",
      {
        title: "Черновики",
        description: "Ответы двойника, которые ждут одобрения владельца: старые сверху.",
        annotations: readOnly,
      },
      () => told(deps, async () => JSON.stringify(await listDrafts(deps.db, caller), null, 1)),
    );
    server.registerTool(
      "read_draft",
      {
        title: "Один черновик",
        description: "Вопрос собеседника, готовый ответ и почему он ждёт.",
        inputSchema: { id: z.uuid().describe("Из list_drafts") },
        annotations: readOnly,
      },
      ({ id }) => told(deps, async () => JSON.stringify(await getDraft(deps.db, caller, id), null, 1)),
    );
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(call, { parsedBody: body });
    return new Response(await answer.arrayBuffer(), answer);
  } finally {
    await server.close();
  }
}

/** A refusal is a tool result, so that the assistant reads the reason and the connection stays open. */
async function told({ log, toProblem }: KeyDeps, work: () => Promise<string>) {
  try {
    return { content: [{ type: "text" as const, text: await work() }] };
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status >= 500) log.error({ err: error }, "an assistant's call failed");
    return { isError: true, content: [{ type: "text" as const, text: `${problem.message} (${problem.code})` }] };
  }
}

/** Converts refusals before any tool to JSON-RPC errors. */
export const mcpErrorOf = ({ status, message, code }: Problem) => ({
  jsonrpc: "2.0" as const,
  error: { code: status >= 500 ? -32603 : -32000, message, data: { code } },
  id: null,
});
