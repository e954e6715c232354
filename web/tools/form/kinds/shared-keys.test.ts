import { expect, test } from "vitest";
import type { Tool } from "#contract/actions/tools.ts";
import { inputOfTool } from "../form-values.ts";
import { toolsLackingKeys } from "./shared-keys.ts";

const tool = (id: string, url: string, headers: { name: string; missing?: true }[]): Tool => ({
  ...{ id, twinId: "1", twinName: "Анна", title: id, description: "", enabled: false, degree: "asks", changes: true },
  ...{ proof: { everybody: false, channelPhone: null, asked: [] }, examples: [], forms: [], offReason: null },
  ...{ needsModel: null, example: null, taken: [], createdAt: "", updatedAt: "" },
  settings: {
    ...{ kind: "http", method: "POST", url, fields: [], resultPath: "", shown: [], idempotent: false, proxy: null },
    headers: headers.map(({ name, missing }) => ({ name, missing })),
  },
});

test("a key is offered to the other actions of its host that lack it, and to no other host", () => {
  const missing = [{ name: "authorization", missing: true as const }];
  const own = tool("own", "https://api.example.ru/a", missing);
  const entered = inputOfTool(own);
  if (entered.settings.kind !== "http") throw new Error("It is a call over HTTP");
  const keyed = { ...entered, settings: { ...entered.settings, headers: [{ name: "Authorization", value: "k" }] } };
  const tools = [
    own,
    tool("same", "https://API.example.ru/b", [...missing, { name: "X-Shop", missing: true }]),
    tool("kept", "https://api.example.ru/c", [{ name: "Authorization" }]),
    tool("other", "https://pay.example.ru/d", missing),
  ];
  expect(toolsLackingKeys(keyed, "own", tools).map(({ id, tool: { settings } }) => [id, settings])).toMatchObject([
    [
      "same",
      {
        headers: [
          { name: "authorization", value: "k" },
          { name: "X-Shop", missing: true },
        ],
      },
    ],
  ]);
  expect(toolsLackingKeys(entered, "own", tools)).toEqual([]);
});
