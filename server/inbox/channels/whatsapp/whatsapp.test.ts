import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "#server/test/servers/provider-server.ts";
import {
  startWhatsappServer,
  type WhatsappServer,
  whatsappDelivery,
  whatsappMessage,
} from "#server/test/servers/whatsapp-server.ts";
import { reportedOf } from "./delivery.ts";
import { whatsapp } from "./whatsapp.ts";

let meta: WhatsappServer;
beforeAll(async () => {
  meta = await startWhatsappServer();
});
afterAll(() => meta.close());

const number = (options: object = {}) =>
  whatsapp({
    accessToken: "EAA-1",
    appSecret: null,
    phoneNumber: null,
    phoneNumberId: null,
    graphUrl: meta.root,
    ...options,
  });
const out = (text: string, delivered = 0) => ({
  key: "8b6f2a4e-0000-4000-8000-000000000000",
  conversation: "79991112233",
  context: {},
  lastInboundAt: new Date(),
  text,
  delivered,
});

test("a long answer is sent as several numbered messages, and delivered ones are not sent again", async () => {
  const long = Array.from({ length: 900 }, (_, place) => `Слово${place}`).join(" ");
  expect(await number().send(out(long, 1))).toMatchObject({
    ok: true,
    externalIds: [expect.stringContaining("wamid")],
  });
  expect(meta.sent).toMatchObject([{ key: `${out("").key}:2`, text: expect.stringMatching(/Слово899$/) }]);
});

test("a send without an answer is unknown after its time limit or an abort; with the server unreachable it may be repeated", async () => {
  meta.fates.await("79991112233", { kind: "hang" });
  expect(await number({ sendMs: 800 }).send(out("Да"))).toMatchObject({ ok: false, kind: "unknown" });
  meta.fates.await("79991112233", { kind: "hang" });
  const [before, ending] = [meta.sends, new AbortController()];
  const sending = number({ phoneNumberId: "1055501" }).send(out("Да"), ending.signal);
  await expect.poll(() => meta.sends, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
  ending.abort();
  expect(await sending).toMatchObject({ ok: false, kind: "unknown" });
  const { root: graphUrl, close } = await startProvider(() => {});
  await close();
  const away = number({ graphUrl, phoneNumberId: "1055501" });
  expect(await away.send(out("Да"))).toMatchObject({ ok: false, kind: "retry" });
  const trouble = await number({ graphUrl })
    .verify()
    .catch((error: unknown) => error);
  expect(trouble).toMatchObject({ kind: "away", message: "WhatsApp недоступен" });
});

test.each([
  [{ type: "image", image: { caption: "смотри" } }, "смотри", ["Фото"]],
  [{ type: "audio", audio: { voice: true } }, "", ["Голосовое сообщение"]],
  [{ type: "location", location: { latitude: 1, name: "Офис" } }, "", ["Геопозиция: Офис"]],
  [{ type: "button", button: { text: "Да", payload: "1" } }, "Да", []],
  [
    { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "1", title: "Доставка" } } },
    "Доставка",
    [],
  ],
  [{ type: "reaction", reaction: { message_id: "wamid.0", emoji: "👍" } }, "", ["Реакция 👍"]],
])("what comes in is said in words: %o", (content, text, attachments) => {
  const { text: _none, ...message } = whatsappMessage("441234567890", "wamid.1", "");
  const body = whatsappDelivery("1055501", { messages: [{ ...message, ...content }, { type: "text" }] });
  expect(reportedOf(body, "1055501")).toMatchObject([
    { eventId: "wamid.1", peer: { id: "+441234567890" }, text, attachments, automated: content.type === "reaction" },
    { unread: {} },
  ]);
});
