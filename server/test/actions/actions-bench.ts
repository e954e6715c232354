/** Twins with tools: a table of orders, and calls of an invented shop. */
import { expect } from "vitest";
import type { ToolTable } from "#contract/actions/tool-settings.ts";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import type { TestClient } from "../test-app.ts";

export const ORDERS = `Номер заказа;Телефон;Статус;Доставка;Заметка для своих
1042;+7 912 345-67-89;Собран, ждёт курьера;3 декабря с 10 до 14;скидка 15 %
1043;8 (921) 000-11-22;В пути;5 декабря;постоянный клиент
77-12;79051112233;Отменён;;
`;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

export async function readOrders(client: TestClient, twinId: string, csv = ORDERS): Promise<ToolTable> {
  const read = await client.post("/api/tools/tables", { twinId, name: "Заказы.csv", content: base64(csv) });
  expect(read.statusCode, read.body).toBe(201);
  return read.json<ToolTable>();
}

export const ordersTool = (tableId: string, more: Partial<ToolInput> = {}): ToolInput => ({
  ...{ title: "Статус заказа", description: "Где заказ и когда его привезут", enabled: true },
  ...{ degree: "itself", changes: false },
  proof: {
    everybody: false,
    channelPhone: "Телефон",
    asked: [{ label: "Последние 4 цифры телефона", source: "Телефон", compare: "last4" }],
  },
  examples: ["где мой заказ 41915", "статус заказа 1042", "что с заказом № 77-12"],
  settings: { kind: "table", tableId, keyColumn: "Номер заказа", shown: ["Статус", "Доставка"] },
  ...more,
});

export async function addTool(client: TestClient, twinId: string, tool: ToolInput): Promise<Tool> {
  const made = await client.post("/api/tools", { twinId, tool });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<Tool>();
}

export async function addOrders(client: TestClient, twinId: string, more: Partial<ToolInput> = {}): Promise<Tool> {
  const { id } = await readOrders(client, twinId);
  return addTool(client, twinId, ordersTool(id, more));
}

type Http = Extract<ToolInput["settings"], { kind: "http" }>;

export const bookingTool = (origin: string, more: Partial<Http> = {}, rest: Partial<ToolInput> = {}): ToolInput => ({
  ...{ title: "Запись на обжарку", description: "Записывает на экскурсию", enabled: true },
  ...{ degree: "asks", changes: true, examples: [] },
  proof: { everybody: true, channelPhone: null, asked: [] },
  settings: {
    kind: "http",
    method: "POST",
    url: `${origin}/bookings`,
    fields: [
      { name: "date", label: "Дата", type: "date", required: true, description: "", choices: [] },
      { name: "time", label: "Время", type: "time", required: true, description: "", choices: [] },
    ],
    headers: [{ name: "Authorization", value: "Bearer s3cret-of-the-shop" }],
    resultPath: "",
    shown: [{ path: "number", label: "Номер записи" }],
    idempotent: false,
    ...more,
  },
  ...rest,
});

export const orderApiTool = (origin: string, more: Partial<Http> = {}, rest: Partial<ToolInput> = {}): ToolInput => ({
  ...{ title: "Заказ в системе", description: "", enabled: true, degree: "itself", changes: false },
  proof: {
    everybody: false,
    channelPhone: null,
    asked: [{ label: "Телефон", source: "order.phone", compare: "phone" }],
  },
  examples: ["где мой заказ 41915"],
  settings: {
    kind: "http",
    method: "GET",
    url: `${origin}/orders/{order_id}`,
    fields: [{ name: "order_id", label: "Номер заказа", type: "text", required: true, description: "", choices: [] }],
    headers: [{ name: "X-Key", value: "s3cret-of-the-shop" }],
    resultPath: "order",
    shown: [{ path: "status", label: "Статус" }],
    idempotent: true,
    ...more,
  },
  ...rest,
});
