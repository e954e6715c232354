/** End-to-end tests of a WhatsApp number against a local Graph API, with deliveries signed like Meta's. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
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
import { connect, deliver, prepareWhatsappJourney, sentTo, t } from "#server/test/channels/whatsapp-journey-bench.ts";
import { whatsappDelivery, whatsappMessage } from "#server/test/servers/whatsapp-server.ts";

prepareWhatsappJourney();

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

test("two people who hide their numbers are two contacts, each answered by his own id, and a message of nobody is set aside", async () => {
  const wa = await connect();
  const { ann, which, integration } = wa;
  const hidden = (name: string, user: string, id: string, text: string) => {
    const message = { ...whatsappMessage("", id, text), ...(user === "" ? {} : { from_user_id: user }) };
    const body = whatsappDelivery(`105550${which}`, { messages: [message] });
    body.entry[0]!.changes[0]!.value.contacts = [{ profile: { name }, wa_id: "", user_id: user } as never];
    return deliver(wa, body);
  };
  expect((await hidden("Пётр", "RU.111", "wamid.p1", "Сколько стоит замена масла? Мой адрес Мира 5")).statusCode).toBe(
    200,
  );
  expect((await hidden("Анна", "RU.222", "wamid.a1", "А развал сколько?")).statusCode).toBe(200);
  expect((await hidden("Некто", "", "wamid.n1", "А я кто?")).statusCode).toBe(200);
  const drafts = await drafted(ann, 2);
  expect(drafts.map(({ contactName, question }) => [contactName, question]).sort()).toEqual([
    ["Анна", "А развал сколько?"],
    ["Пётр", "Сколько стоит замена масла? Мой адрес Мира 5"],
  ]);
  const known = await t.services.db.select().from(contacts).where(eq(contacts.twinId, wa.twinId));
  expect(known.map(({ externalId }) => externalId).sort()).toEqual(["RU.111", "RU.222"]);
  await ann.post(`/api/approvals/${drafts.find(({ contactName }) => contactName === "Анна")!.id}/approve`);
  await expect.poll(() => sentTo("user RU.222").length, WAIT).toBe(1);
  expect(sentTo("user RU.111")).toEqual([]);
  expect(await shown(wa)).toMatchObject({ setAside: 1 });
  const log: { text: string }[] = (await ann.get(`/api/integrations/${integration.id}/events`)).json();
  expect(log.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Сообщение отложено\. .*отправителя/));
  const path = `/api/integrations/${integration.id}/set-aside`;
  const [item] = (await ann.get(path)).json();
  expect((await ann.post(`${path}/${item.id}/retry`)).json().code).toBe("not_readable");
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
