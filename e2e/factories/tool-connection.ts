import type { McpConnection, OfferedAction } from "#contract/actions/tool-connections.ts";
import type { Tool } from "#contract/actions/tools.ts";
import { NOW, uuid } from "./ids.ts";
import { buildTool } from "./tool.ts";

export const buildOffer = (own: Partial<OfferedAction> = {}): OfferedAction => ({
  name: "get_order",
  title: "Get order",
  description: "Returns the state of an order and when it is delivered",
  fields: [
    {
      ...{ name: "order_id", label: "order id", type: "text", required: true },
      ...{ description: "Order number from the receipt", choices: [] },
    },
  ],
  yesOrNo: [],
  leftOut: [],
  readOnly: true,
  refusal: null,
  ...own,
});

export const buildConnection = (n: number, own: Partial<McpConnection> = {}): McpConnection => ({
  kind: "mcp",
  id: uuid(770 + n),
  twinId: uuid(1),
  title: "Лавка",
  url: "https://mcp.example.ru/mcp",
  proxy: null,
  auth: "header",
  state: "ready",
  failure: null,
  server: "Лавка 2.1",
  checkedAt: NOW,
  createdAt: NOW,
  tools: [],
  offers: [
    buildOffer(),
    buildOffer({
      ...{ name: "create_booking", title: "create_booking", description: "Books a table for guests", readOnly: false },
      fields: [
        { name: "date", label: "date", type: "date", required: true, description: "", choices: [] },
        { name: "guests", label: "guests", type: "number", required: true, description: "", choices: [] },
        { name: "terrace", label: "terrace", type: "choice", required: false, description: "", choices: ["да", "нет"] },
      ],
      yesOrNo: ["terrace"],
      leftOut: ["tags"],
    }),
    buildOffer({
      ...{ name: "import_rows", title: "Import rows", description: "", readOnly: false, fields: [] },
      refusal: "Обязательное поле «rows» не простое: двойник передаёт только текст, число, выбор и да или нет",
    }),
  ],
  ...own,
});

/** An action of that server that the owner has chosen. */
export const buildMcpTool = (n: number, own: Partial<Tool> = {}): Tool =>
  buildTool(n, {
    settings: {
      ...{ kind: "mcp", connectionId: uuid(771), name: "get_order", host: "mcp.example.ru" },
      fields: [{ name: "order_id", label: "Номер заказа", type: "text", required: true, description: "", choices: [] }],
      ...{ resultPath: "", shown: [{ path: "status", label: "Статус" }] },
      connection: { title: "Лавка", failure: null },
    },
    proof: { everybody: false, channelPhone: null, asked: [{ label: "Телефон", source: "phone", compare: "phone" }] },
    ...own,
  });
