import type { Act } from "#contract/actions/acts.ts";
import type { ToolCall } from "#contract/actions/tool-call.ts";
import type { ToolTable } from "#contract/actions/tool-settings.ts";
import type { Tool, ToolTrial } from "#contract/actions/tools.ts";
import { NOW, uuid } from "./ids.ts";

export const buildTable = (own: Partial<ToolTable> = {}): ToolTable => ({
  id: uuid(720),
  name: "orders.csv",
  url: null,
  proxy: null,
  columns: ["Номер", "Статус", "Дата доставки", "Телефон"],
  rows: 240,
  sample: [
    ["1042", "в пути", "12 декабря", "+7 912 345-67-89"],
    ["1043", "собран", "14 декабря", "+7 912 000-11-22"],
  ],
  readAt: NOW,
  failure: null,
  ...own,
});

/** A table of orders that a twin reads; the settings of another tool are given whole. */
export const buildTool = (n: number, own: Partial<Tool> = {}): Tool => ({
  id: uuid(700 + n),
  twinId: uuid(1),
  twinName: "Анна",
  title: "Статус заказа",
  description: "Узнать, где заказ и когда его привезут",
  enabled: true,
  degree: "itself",
  changes: false,
  proof: {
    everybody: false,
    channelPhone: "Телефон",
    asked: [{ label: "Последние 4 цифры телефона", source: "Телефон", compare: "last4" }],
  },
  examples: ["Где мой заказ 1042?"],
  settings: {
    kind: "table",
    tableId: uuid(720),
    keyColumn: "Номер",
    shown: ["Статус", "Дата доставки"],
    table: buildTable({ sample: [] }),
  },
  offReason: null,
  forms: ["Где мой заказ [Номер]?"],
  needsModel: null,
  example: "Где мой заказ 1042?",
  taken: [],
  createdAt: NOW,
  updatedAt: NOW,
  ...own,
});

/** A call over HTTP that books something. */
export const buildBookingTool = (n: number, own: Partial<Tool> = {}): Tool =>
  buildTool(n, {
    title: "Запись на стрижку",
    description: "Записать на свободное время",
    degree: "asks",
    changes: true,
    proof: { everybody: false, channelPhone: null, asked: [] },
    examples: ["Запишите меня на пятницу"],
    example: "Запишите меня на пятницу",
    forms: [],
    settings: {
      kind: "http",
      method: "POST",
      url: "https://api.example.ru/bookings",
      fields: [
        { name: "day", label: "День", type: "date", required: true, description: "", choices: [] },
        { name: "time", label: "Время", type: "time", required: true, description: "", choices: [] },
      ],
      resultPath: "",
      shown: [{ path: "number", label: "Номер записи" }],
      idempotent: false,
      headers: [{ name: "Authorization" }],
      proxy: null,
    },
    ...own,
  });

export const buildAct = (n: number, own: Partial<Act> = {}): Act => ({
  id: uuid(740 + n),
  toolId: uuid(702),
  title: "Запись на стрижку",
  twinId: uuid(1),
  twinName: "Анна",
  conversationId: uuid(401),
  contactName: "Мария",
  platform: "telegram",
  changes: true,
  state: "waiting-owner",
  arguments: [
    { label: "День", value: "11 декабря" },
    { label: "Время", value: "15:00" },
  ],
  target: "POST api.example.ru/bookings",
  question: "Записать вас на пятницу, 15:00?",
  ownerQuestion: null,
  result: [],
  reason: null,
  dry: false,
  createdAt: NOW,
  decidedBy: null,
  decidedAt: null,
  decider: null,
  endedAt: null,
  cursor: String(1000 - n),
  ...own,
});

export const buildCall = (own: Partial<ToolCall> = {}): ToolCall => ({
  actId: uuid(741),
  title: "Статус заказа",
  arguments: [{ label: "Номер", value: "1042" }],
  outcome: "done",
  result: [
    { label: "Статус", value: "в пути" },
    { label: "Дата доставки", value: "12 декабря" },
  ],
  note: null,
  ...own,
});

export const buildTrial = (own: Partial<ToolTrial> = {}): ToolTrial => ({
  call: buildCall({ actId: null }),
  request: null,
  status: null,
  answer: "",
  durationMs: 12,
  ...own,
});
