import { expect, test } from "vitest";
import { IntegrationPlatform } from "../platforms.ts";
import { credentialWarnings, type Entered } from "./credential-forms.ts";

const warnings = (entered: Entered) => credentialWarnings(entered, "userbot").map(({ field }) => field);

test("what does not look as its platform writes it is warned of, and nothing is said of what is empty", () => {
  expect(warnings({ platform: "telegram", apiKey: "123456:cut-off" })).toEqual(["apiKey"]);
  expect(warnings({ platform: "slack", apiKey: "xoxp-1", appToken: "xoxb-1" })).toEqual(["apiKey", "appToken"]);
  expect(warnings({ platform: "discord", apiKey: "client-secret" })).toEqual(["apiKey"]);
  expect(warnings({ platform: "max", apiKey: "short" })).toEqual(["apiKey"]);
  expect(warnings({ platform: "vk", apiKey: "vk1.a" })).toEqual(["apiKey"]);
  expect(warnings({ platform: "whatsapp", apiKey: "EAA", phoneNumber: "мой номер" })).toEqual(["phoneNumber"]);
  for (const platform of IntegrationPlatform.options)
    expect(warnings({ platform, apiKey: "", phoneNumber: "", appToken: "" }), platform).toEqual([]);
});

test("keys as the platforms write them have no warning, nor has an account of Telegram, which has none", () => {
  expect(warnings({ platform: "telegram", apiKey: `1:${"k".repeat(35)}` })).toEqual([]);
  expect(warnings({ platform: "telegram", apiKey: "userbot" })).toEqual([]);
  expect(warnings({ platform: "slack", apiKey: "xoxb-1-a", appToken: "xapp-1-a" })).toEqual([]);
  expect(warnings({ platform: "whatsapp", apiKey: "EAA", phoneNumber: "+7 (900) 123-45-67" })).toEqual([]);
});
