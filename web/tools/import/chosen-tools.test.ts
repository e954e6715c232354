import { expect, test } from "vitest";
import type { OfferedCall } from "#contract/actions/tool-import.ts";
import { toolOf } from "./chosen-tools.ts";

const call: OfferedCall = {
  ...{ method: "GET", path: "/orders", server: null, target: "/orders", title: "Заказы", description: "" },
  ...{ changes: false, fields: [], shown: [], omitted: [], problem: null },
  headers: [{ name: "Authorization", scheme: "bearer", about: "" }],
};

test("a skipped key stays as a header that is missing, an entered one is sent", () => {
  const headersWith = (secrets: Record<string, string>) => {
    const { settings } = toolOf(call, "https://api.example.ru/", { secrets, proxy: "" });
    return settings.kind === "http" ? settings.headers : null;
  };
  expect(headersWith({})).toEqual([{ name: "Authorization", missing: true }]);
  expect(headersWith({ "authorization bearer": "k" })).toEqual([{ name: "Authorization", value: "Bearer k" }]);
});
