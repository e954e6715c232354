import { expect, test } from "vitest";
import { type Tool, ToolInput } from "#contract/actions/tools.ts";
import { inputOf, inputOfTool, placeInForm, valuesOf } from "./form-values.ts";

const tool: Tool = {
  id: "8b0e2f1c-0000-4000-8000-000000000700",
  twinId: "8b0e2f1c-0000-4000-8000-000000000001",
  twinName: "Анна",
  title: "Запись",
  description: "",
  enabled: true,
  degree: "asks",
  changes: true,
  proof: { everybody: false, channelPhone: null, asked: [] },
  examples: ["Запишите меня"],
  settings: {
    kind: "http",
    method: "POST",
    url: "https://example.ru/bookings",
    fields: [{ name: "kind", label: "Вид", type: "choice", required: true, description: "", choices: ["А", "Б"] }],
    resultPath: "data",
    shown: [{ path: "number", label: "Номер" }],
    idempotent: false,
    headers: [{ name: "Authorization" }],
    proxy: "SOCKS5 proxy.example.com:1080",
  },
  forms: [],
  needsModel: null,
  taken: [],
  example: null,
  offReason: null,
  createdAt: "2026-11-30T10:00:00.000Z",
  updatedAt: "2026-11-30T10:00:00.000Z",
};

test("a stored tool goes back as it came, without the secret that is not known here", () => {
  const { settings, examples, title, proof } = inputOfTool(tool);
  const { proxy: _, ...stored } = tool.settings as Extract<Tool["settings"], { kind: "http" }>;
  expect({ settings, examples, title, proof }).toEqual({
    settings: stored,
    examples: ["Запишите меня"],
    title: "Запись",
    proof: tool.proof,
  });
  expect(ToolInput.safeParse(inputOfTool(tool)).success).toBe(true);
});

test("a new value of a stored header is sent, an empty one of a new header is refused at its field", () => {
  const values = valuesOf(tool);
  const headers = [
    { name: "Authorization", value: "Bearer 1", stored: true },
    { name: "X-Key", value: "", stored: false },
  ];
  const input = inputOf("http", { ...values, headers }, true);
  expect(input.settings).toMatchObject({
    headers: [
      { name: "Authorization", value: "Bearer 1" },
      { name: "X-Key", value: "" },
    ],
  });
  const issues = ToolInput.safeParse(input).error?.issues ?? [];
  expect(issues.map(({ path }) => placeInForm("http", path.join(".")))).toEqual(["headers.1.value"]);
});

test("a table is never a change, and what changes needs no proof", () => {
  const values = { ...valuesOf(undefined), changes: true, channelPhone: "Телефон" };
  expect(inputOf("table", values, true)).toMatchObject({ changes: false, proof: { channelPhone: "Телефон" } });
  expect(inputOf("http", values, true)).toMatchObject({ changes: true, proof: { channelPhone: null, asked: [] } });
});

test.each([
  ["tool.title", "title"],
  ["tool.settings.tableId", "table"],
  ["settings.shown", "columns"],
  ["proof", "scope"],
  ["proof.asked.0.label", "asked.0.label"],
  ["settings", null],
  ["twinId", null],
])("the fault at %s of a table's tool stands at %s of the form", (path, place) => {
  expect(placeInForm("table", path)).toBe(place);
});
