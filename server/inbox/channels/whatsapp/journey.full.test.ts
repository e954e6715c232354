import { expect, test } from "vitest";
import { rowsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import {
  connect,
  deliver,
  meta,
  prepareWhatsappJourney,
  sentTo,
  t,
} from "#server/test/channels/whatsapp-journey-bench.ts";
import { refusal, whatsappDelivery, whatsappMessage } from "#server/test/servers/whatsapp-server.ts";

prepareWhatsappJourney();

const DAY = 24 * 3600_000;

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
  // Nothing is sent to a contact who wrote more than a day ago.
  expect(meta.sends).toBe(7);
  expect(meta.reads).toContain("wamid.79000000001");

  // The receipt shows that the message arrived although Meta's response was lost, so it is not sent again.
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
