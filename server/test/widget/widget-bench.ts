/** A chat on a site. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import type { Widget, WidgetInput } from "#contract/integrations/widget.ts";
import type { Config } from "#server/platform/config.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;
export let owner: TestClient;
export let twinId: string;
export let widgetId: string;

export async function save(fields: Partial<WidgetInput>): Promise<Widget> {
  const answer = await owner.put(`/api/digital-twins/${twinId}/widget`, {
    enabled: true,
    allowedSites: ["https://shop.example.test", "https://*.пример.рф"],
    title: "Спросите нас",
    greeting: "Здравствуйте!",
    color: "#0f5f63",
    autonomy: "auto",
    dailyMessages: 1000,
    ...fields,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

export const newVisitor = () => randomBytes(32).toString("base64url");

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareWidget(settings: () => Partial<Config> = () => ({})): void {
  beforeAll(async () => {
    t = await testApp(settings());
    owner = await t.signUp();
    twinId = await buildTwin(owner);
    await buildDocument(
      owner,
      twinId,
      "Доставка по Москве занимает один день и стоит 350 рублей. Возврат возможен в течение 14 дней.",
    );
    await t.jobsIdle();
    widgetId = (await save({})).id!;
  });
  afterAll(() => t.close());
}
