/** Whole journeys of a WhatsApp number against a local Graph API, with deliveries as Meta signs them. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contacts, integrations } from "#server/db/schema.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  type Connected,
  connectTwin,
  drafted,
  eventsOf,
  listedConversations,
  refusedConnection,
  rowsOf,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  refusal,
  startWhatsappServer,
  type WhatsappServer,
  whatsappDelivery,
  whatsappMessage,
  whatsappSignature,
} from "#server/test/servers/whatsapp-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../receiving/supervisor.ts";

const SECRET = "secret-of-an-app";
const DAY = 24 * 3600_000;
let meta: WhatsappServer;
let t: TestApp;
let supervisor: Supervisor;
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

let numbers = 10;
async function connect(autonomy: "draft" | "auto" = "draft") {
  const which = String(++numbers);
  const fields = { platform: "whatsapp", apiKey: `EAA-${which}`, phoneNumber: `8 (999) 000-00-${which}` };
  const connected = await connectTwin(t, { ...fields, settings: { app_secret: SECRET } }, autonomy);
  return { ...connected, which };
}

function deliver({ integration }: Connected, body: object, sign: string | null = SECRET) {
  const payload = JSON.stringify(body);
  const signature = sign === null ? {} : whatsappSignature(payload, sign);
  const url = new URL(integration.webhook!.url).pathname;
  const headers = { "content-type": "application/json", ...signature };
  return t.anonymous.inject({ method: "POST", url, payload, headers });
}

const sentTo = (contact: string) => meta.sent.filter(({ to }) => to === contact).map(({ text }) => text);

test("a number is connected, drafts answers to deliveries in any order, and sends what was approved", async () => {
  holdBursts();
  const wa = await connect();
  const { ann, which, integration } = wa;
  expect(integration).toMatchObject({ account: `+7 999 000-00-${which}`, trouble: null });
  const { url, verifyToken } = integration.webhook!;
  expect(url).toMatch(/^https:\/\/twins\.example\/hooks\/[\w-]{43}$/);
  const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
  const [seen] = (await colleague.get("/api/integrations")).json();
  expect(seen).toMatchObject({ webhook: null, account: expect.stringContaining("•") });

  const ask = (token: string) =>
    t.anonymous.get(`${new URL(url).pathname}?hub.mode=subscribe&hub.challenge=115820&hub.verify_token=${token}`);
  expect((await ask(verifyToken!)).body).toBe("115820");
  expect((await ask("wrong")).statusCode).toBe(404);

  const [ivan, number] = ["79991112233", `105550${which}`];
  const first = whatsappMessage(ivan, "wamid.1", "Здравствуйте!", Date.now() - 2000);
  const second = whatsappMessage(ivan, "wamid.2", "Сколько стоит доставка?");
  const batch = whatsappDelivery(number, { messages: [second, first, second] });
  for (const sign of [null, "another-secret"]) expect((await deliver(wa, batch, sign)).statusCode).toBe(401);
  expect((await deliver(wa, whatsappDelivery("105550other", { messages: [first] }))).statusCode).toBe(200);
  for (const odd of [[], { entry: 5 }, { entry: [{ changes: [{ field: "messages", value: null }] }] }]) {
    expect((await deliver(wa, odd)).statusCode).toBe(200);
  }
  expect(await eventsOf(t, wa)).toEqual([]);
  for (const _again of [1, 2, 3]) expect((await deliver(wa, batch)).statusCode).toBe(200);
  const events = await eventsOf(t, wa);
  expect(events.map(({ eventId }) => eventId)).toEqual(["wamid.2", "wamid.1"]);
  // Both are stored in one transaction.
  expect(new Set(events.map(({ receivedAt }) => receivedAt.getTime())).size).toBe(1);
  const [draft] = await drafted(ann);
  expect(draft).toMatchObject({
    platform: "whatsapp",
    contactName: "Иван",
    question: "Здравствуйте!\nСколько стоит доставка?",
  });
  const known = await t.services.db.select().from(contacts).where(eq(contacts.twinId, wa.twinId));
  expect(known).toMatchObject([{ externalId: "+7 999 111-22-33", name: "Иван" }]);
  await ann.put(`/api/approvals/${draft!.id}`, { text: "**Бесплатно** от 1000 ₽" });
  await ann.post(`/api/approvals/${draft!.id}/approve`);
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  expect(sentTo(ivan)[0]).toMatch(/\n\n\*Бесплатно\* от 1000 ₽$/);
  await expect.poll(async () => (await rowsOf(t, wa))[0]!.state, WAIT).toBe("sent");
  const [talk] = await listedConversations(ann);
  expect((await transcript(ann, talk!.id)).map(({ role }) => role)).toEqual(["user", "user", "assistant"]);

  // The owner answers from his phone, which makes the twin's answer void.
  expect(
    (await deliver(wa, whatsappDelivery(number, { messages: [whatsappMessage(ivan, "wamid.3", "Вы тут?")] })))
      .statusCode,
  ).toBe(200);
  await drafted(ann);
  const { from: _contact, ...own } = whatsappMessage("", "wamid.own", "Я сам отвечу");
  const echoes = [{ ...own, from: "79990000001", to: `+${ivan}` }];
  for (const _again of [1, 2]) await deliver(wa, whatsappDelivery(number, { echoes }));
  await expect.poll(() => transcript(ann, talk!.id), WAIT).toHaveLength(5);
  expect((await transcript(ann, talk!.id)).at(-1)).toMatchObject({ author: "owner", content: "Я сам отвечу" });
  expect(await listedConversations(ann)).toMatchObject([{ lead: "me", messageCount: 5 }]);
  expect(await approvals(ann)).toEqual([]);

  // Meta has accepted the message and reports only later that it was not delivered.
  const { id } = draft!;
  const status = { id: "wamid.out", status: "failed", biz_opaque_callback_data: `${id}:1`, errors: [{ code: 131026 }] };
  expect((await deliver(wa, whatsappDelivery(number, { statuses: [status] }))).statusCode).toBe(200);
  expect(await approvals(ann)).toMatchObject([
    { state: "failed", reason: "WhatsApp не может доставить сообщение этому номеру" },
  ]);
});

test("a send arrives at most once whatever happens to it, and the owner reads the result", async () => {
  const wa = await connect("auto");
  const refused = (status: number, code: number) => ({ kind: "refused", status, body: refusal(code) }) as const;
  const fates = {
    "79000000001": [],
    "79000000002": [refused(400, 130429)],
    "79000000003": [refused(500, 131000)],
    "79000000004": [{ kind: "reset-after-accept" } as const],
    "79000000005": [refused(400, 131047)],
    "79000000006": [refused(400, 131030)],
    "79000000007": [],
  };
  for (const [contact, fate] of Object.entries(fates)) meta.fates.await(contact, ...fate);
  const late = "79000000007";
  const messages = Object.keys(fates).map((contact) =>
    whatsappMessage(contact, `wamid.${contact}`, "Привет!", Date.now() - (contact === late ? DAY + 60_000 : 0)),
  );
  expect((await deliver(wa, whatsappDelivery(`105550${wa.which}`, { messages }))).statusCode).toBe(200);
  const ended = async () =>
    (await rowsOf(t, wa)).filter(({ state }) => state !== "pending" && state !== "sending").length;
  await expect.poll(ended, WAIT).toBe(7);
  const rows = await rowsOf(t, wa);
  const states = rows.map(({ state, reason }) => `${state}: ${reason}`).sort();
  expect(states).toEqual([
    "failed: Номера собеседника нет в списке разрешённых для тестового номера",
    ...Array(2).fill(
      "failed: Прошло больше 24 часов с последнего сообщения собеседника: WhatsApp не даёт ответить, пока он не напишет снова",
    ),
    "sent: null",
    "sent: null",
    ...Array(2).fill("unknown: Связь с WhatsApp прервалась: дошло ли сообщение, неизвестно"),
  ]);
  expect(Object.keys(fates).map((contact) => sentTo(contact).length)).toEqual([1, 1, 0, 1, 0, 0, 0]);
  // No send is tried to a contact who wrote a day ago.
  expect(meta.sends).toBe(1 + 7);
  expect(meta.reads).toContain("wamid.79000000001");

  // The receipt tells that the message arrived although Meta's answer was lost, so it is not sent again.
  const { key } = meta.sent.find(({ to }) => to === "79000000004")!;
  const status = { id: "wamid.lost", status: "delivered", biz_opaque_callback_data: key };
  for (const _again of [1, 2]) await deliver(wa, whatsappDelivery(`105550${wa.which}`, { statuses: [status] }));
  const lost = async () => (await rowsOf(t, wa)).find(({ id }) => key.startsWith(id));
  await expect.poll(lost, WAIT).toMatchObject({ state: "sent", externalIds: ["wamid.lost"] });
  expect(sentTo("79000000004")).toHaveLength(1);

  meta.revoked.add(`EAA-${wa.which}`);
  const again = whatsappMessage("79000000001", "wamid.again", "Привет!");
  await deliver(wa, whatsappDelivery(`105550${wa.which}`, { messages: [again] }));
  await expect.poll(async () => (await shown(wa)).status, WAIT).toBe("error");
  expect((await shown(wa)).statusReason).toMatch(/^WhatsApp не принимает ключ \(access token\)/);
});

test("a refused token and an unreachable number are reported at once; without a secret the number only sends", async () => {
  const refused = (apiKey: string, phoneNumber: string | null = null) =>
    refusedConnection(t, { platform: "whatsapp", apiKey, phoneNumber });
  expect(await refused("wrong")).toEqual([
    422,
    "WhatsApp не принимает ключ (access token). Выпустите новый в кабинете Meta.",
  ]);
  expect(await refused("EAA-none")).toEqual([422, expect.stringContaining("ни к одному номеру")]);
  expect(await refused("EAA-both")).toEqual([422, expect.stringContaining("укажите номер")]);
  expect(await refused("EAA-1", "+79990000002")).toEqual([422, expect.stringContaining("Этого номера нет")]);
  const wa = await connectTwin(t, { platform: "whatsapp", apiKey: "EAA-both", phoneNumber: "1055502" });
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, wa.integration.id));
  expect(row).toMatchObject({ account: "+7 999 000-00-02", accountId: "1055502" });
  await expect.poll(async () => (await shown(wa)).limitation, WAIT).toMatch(/^Только отправка: .*App Secret/);
  expect(wa.integration.webhook).toBeNull();
});
