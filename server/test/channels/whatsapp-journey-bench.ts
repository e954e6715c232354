/** A WhatsApp number that is connected to a local Graph API. */
import { afterAll, beforeAll } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { type Connected, connectTwin } from "#server/test/channels/channel-journey.ts";
import { startWhatsappServer, type WhatsappServer, whatsappSignature } from "#server/test/servers/whatsapp-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const SECRET = "secret-of-an-app";
export let meta: WhatsappServer;
export let t: TestApp;
let supervisor: Supervisor;

let numbers = 10;
export async function connect(autonomy: "draft" | "auto" = "draft") {
  const which = String(++numbers);
  const fields = { platform: "whatsapp", apiKey: `EAA-${which}`, phoneNumber: `8 (999) 000-00-${which}` };
  const connected = await connectTwin(t, { ...fields, settings: { app_secret: SECRET } }, autonomy);
  return { ...connected, which };
}

export function deliver({ integration }: Connected, body: object, sign: string | null = SECRET) {
  const payload = JSON.stringify(body);
  const signature = sign === null ? {} : whatsappSignature(payload, sign);
  const url = new URL(integration.webhook!.url).pathname;
  const headers = { "content-type": "application/json", ...signature };
  return t.anonymous.inject({ method: "POST", url, payload, headers });
}

export const sentTo = (contact: string) => meta.sent.filter(({ to }) => to === contact).map(({ text }) => text);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareWhatsappJourney(): void {
  beforeAll(async () => {
    meta = await startWhatsappServer();
    t = await testApp({ whatsappGraphUrl: meta.root, publicUrl: "https://twins.example" });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await meta.close();
  });
}
