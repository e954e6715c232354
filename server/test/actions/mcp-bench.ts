/** A twin whose tools are actions of a local MCP server. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { McpConnection, NewMcpConnection } from "#contract/actions/tool-connections.ts";
import type { ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import { type McpServer, startMcpServer } from "#server/test/servers/mcp-server.ts";
import type { TestClient } from "#server/test/test-app.ts";

export let mcp: McpServer;

/** Starts the server for the tests of the file that calls this. */
export function prepareMcp(): void {
  beforeAll(async () => {
    mcp = await startMcpServer();
  });
  afterAll(() => mcp.close());
  beforeEach(() => mcp.reset());
}

type Auth = NewMcpConnection["auth"];

export const open = (client: TestClient, twinId: string, auth: Auth = { kind: "none" }, url = mcp.url) =>
  client.post("/api/tool-connections/mcp", { twinId, title: "", url, auth });

export async function connect(client: TestClient, twinId: string, auth?: Auth): Promise<McpConnection> {
  const opened = await open(client, twinId, auth);
  expect(opened.statusCode, opened.body).toBe(201);
  return opened.json().connection;
}

type Mcp = Extract<ToolInput["settings"], { kind: "mcp" }>;

const field = (name: string, label: string, more: Partial<Mcp["fields"][number]> = {}): Mcp["fields"][number] => ({
  ...{ name, label, type: "text", required: true, description: "", choices: [], ...more },
});

export const statusTool = (
  connectionId: string,
  more: Partial<Mcp> = {},
  rest: Partial<ToolInput> = {},
): ToolInput => ({
  ...{ title: "Статус заказа", description: "Где заказ", enabled: true, degree: "itself", changes: false },
  proof: { everybody: false, channelPhone: null, asked: [{ label: "Телефон", source: "phone", compare: "phone" }] },
  examples: ["где мой заказ 41915"],
  settings: {
    ...{ kind: "mcp", connectionId, name: "order_status", fields: [field("order_id", "Номер заказа")] },
    ...{ resultPath: "", shown: [{ path: "status", label: "Статус" }], ...more },
  },
  ...rest,
});

export const bookingAction = (
  connectionId: string,
  more: Partial<Mcp> = {},
  rest: Partial<ToolInput> = {},
): ToolInput => ({
  ...{ title: "Запись", description: "Записывает гостей", enabled: true, degree: "asks", changes: true, examples: [] },
  proof: { everybody: false, channelPhone: null, asked: [] },
  settings: {
    ...{ kind: "mcp", connectionId, name: "create_booking", resultPath: "", shown: [] },
    fields: [
      field("date", "Дата", { type: "date" }),
      field("guests", "Гостей", { type: "number" }),
      field("children", "Будут дети", { type: "choice", required: false, choices: ["да", "нет"] }),
    ],
    ...more,
  },
  ...rest,
});

export async function tryTool(
  client: TestClient,
  id: string,
  given: Record<string, string>,
  really?: boolean,
): Promise<ToolTrial> {
  const values = Object.entries(given).map(([name, value]) => ({ name, value }));
  const sample = { arguments: values, ...(really === undefined ? {} : { really }) };
  const answer = await client.post(`/api/tools/${id}/try`, sample);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
