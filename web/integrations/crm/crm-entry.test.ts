import { expect, test } from "vitest";
import { ShownIntegration } from "#web/integrations/shown-integration.ts";
import { crmEntryOf, crmFigures } from "./crm-entry.ts";

const entry = (fields: Record<string, unknown>) => crmEntryOf(ShownIntegration.parse({ id: "1", ...fields }));

test("leads are a tenth and deals a twentieth of the handled messages, rounded down", () => {
  for (const [messagesHandled, leads, deals] of [
    [0, 0, 0],
    [9, 0, 0],
    [10, 1, 0],
    [19, 1, 0],
    [20, 2, 1],
    [30, 3, 1],
    [1245, 124, 62],
  ]) {
    expect(entry({ messagesHandled })).toMatchObject({ leads, deals });
  }
  expect(entry({})).toMatchObject({ leads: 0, deals: 0 });
});

test("an active integration is connected, an inactive one is disconnected, and any other has an error", () => {
  expect(entry({ status: "active" }).status).toBe("connected");
  expect(entry({ status: "inactive" }).status).toBe("disconnected");
  expect(entry({ status: "error" }).status).toBe("error");
  expect(entry({}).status).toBe("error");
});

test("the type is derived from the platform", () => {
  expect(entry({ platform: "telegram" }).type).toBe("Messaging");
  expect(entry({ platform: "whatsapp" }).type).toBe("Messaging");
  expect(entry({ platform: "salesforce" }).type).toBe("Enterprise CRM");
  expect(entry({ platform: "email" }).type).toBe("Integration");
});

test("leads and deals are sums over all entries", () => {
  const entries = [
    entry({ status: "active", messagesHandled: 100 }),
    entry({ status: "inactive", messagesHandled: 40 }),
    entry({ status: "error" }),
  ];
  expect(crmFigures(entries)).toMatchObject({ leads: 14, deals: 7 });
});

test("what is active counts as connected, also while the server tries to reach it", () => {
  const of = (fields: Record<string, unknown>) => crmFigures([entry({ status: "active", ...fields })]).connected;
  expect(of({ platform: "telegram" })).toBe(1);
  expect(of({ platform: "hubspot" })).toBe(1);
  expect(of({ platform: "hubspot", status: "inactive" })).toBe(0);
  expect(of({ platform: "telegram", connection: "trouble", trouble: "Нет связи" })).toBe(1);
});
