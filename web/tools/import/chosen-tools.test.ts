import { expect, test } from "vitest";
import type { OfferedCall } from "#contract/actions/tool-import.ts";
import { proposedNames, secretsOf, toolOf, unnamedIn } from "./chosen-tools.ts";

const call: OfferedCall = {
  ...{ method: "GET", path: "/orders", server: null, target: "/orders", title: "Заказы", description: "" },
  ...{ changes: false, fields: [], shown: [], omitted: [], problem: null },
  headers: [{ name: "Authorization", scheme: "bearer", about: "" }],
};
const SHOP = "https://api.example.ru/";
const nothing = { secrets: {}, proxy: "", names: proposedNames(call) };

test("a skipped key stays as a header that is missing, an entered one is sent", () => {
  const headersWith = (secrets: Record<string, string>) => {
    const { settings } = toolOf(call, SHOP, { ...nothing, secrets });
    return settings.kind === "http" ? settings.headers : null;
  };
  expect(headersWith({})).toEqual([{ name: "Authorization", missing: true }]);
  expect(headersWith({ "authorization bearer": "k" })).toEqual([{ name: "Authorization", value: "Bearer k" }]);
});

test("calls to one host share a key, and another host is never sent it", () => {
  const same = { ...call, path: "/stock", server: "https://API.example.ru/v2" };
  const other = { ...call, path: "/bill", server: "https://pay.example.ru" };
  const secrets = secretsOf([call, same, other], SHOP);
  expect(secrets.map(({ host, calls }) => [host, calls])).toEqual([
    ["api.example.ru", ["GET /orders", "GET /stock"]],
    ["pay.example.ru", ["GET /bill"]],
  ]);
  const { settings } = toolOf(other, SHOP, { ...nothing, secrets: { [secrets[0]!.key]: "k" } });
  expect(settings).toMatchObject({ headers: [{ name: "Authorization", missing: true }] });
  // The address is still being typed.
  expect(secretsOf([call], "https").map(({ key }) => key)).toEqual([secrets[0]!.key]);
});

test("what people read is typed in Russian; what is not stays unfinished, and is no result for a customer", () => {
  const field = { type: "text", required: true, description: "The id", choices: [] } as const;
  const booking: OfferedCall = {
    ...{ ...call, title: "createBookingV2", description: "Creates a booking" },
    fields: [
      { ...field, name: "order_id", label: "order id", choices: [] },
      { ...field, name: "day", label: "Дата", choices: [] },
    ],
    shown: [
      { path: "status", label: "Статус" },
      { path: "eta", label: "eta" },
    ],
  };
  const names = proposedNames(booking);
  expect(unnamedIn(booking, names)).toEqual(["названия по-русски", "названия для order id"]);
  expect(toolOf(booking, SHOP, { ...nothing, names })).toMatchObject({
    ...{ title: "createBookingV2", description: "" },
    settings: {
      fields: [{ label: "order id", description: "" }, { label: "Дата" }],
      shown: [{ path: "status", label: "Статус" }],
    },
  });
  const typed = { title: " Стол ", description: "Занять стол", fields: { ...names.fields, order_id: "Номер" } };
  expect(unnamedIn(booking, typed)).toEqual([]);
  expect(toolOf(booking, SHOP, { ...nothing, names: typed })).toMatchObject({
    ...{ title: "Стол", description: "Занять стол" },
    settings: { fields: [{ label: "Номер" }, { label: "Дата" }] },
  });
});
