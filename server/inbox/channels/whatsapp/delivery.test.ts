import { expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { whatsappDelivery, whatsappMessage } from "#server/test/servers/whatsapp-server.ts";
import { receiptsOf, reportedOf } from "./delivery.ts";

const KEY = "8b6f2a4e-0000-4000-8000-000000000000";
const receipts = (status: object) =>
  receiptsOf(
    whatsappDelivery("1055501", { statuses: [{ id: "wamid.1", biz_opaque_callback_data: `${KEY}:2`, ...status }] }),
  );
const ofOwner = (more: object) =>
  reportedOf(
    whatsappDelivery("1055501", { echoes: [{ ...whatsappMessage("79990000001", "wamid.1", "Да"), ...more }] }),
    null,
  );

test.each<[object, string | null]>([
  [{ status: "delivered" }, null],
  [{ status: "failed", errors: [{ code: 131047 }] }, expect.stringContaining("24 часов")],
  [{ status: "failed", errors: [{ code: 131050 }] }, "Собеседник отказался от сообщений"],
  [{ status: "failed", errors: [{ code: 190 }] }, expect.stringContaining("не принимает ключ")],
  [{ status: "failed" }, "WhatsApp не принял сообщение"],
])("the receipt %j tells of the answer's part whether it failed and why", (status, failure) => {
  expect(receipts(status)).toEqual([{ key: KEY, part: 2, externalId: "wamid.1", failure }]);
});

test.each(["of another program", KEY, `${KEY}:`, `${KEY}:12345`])("a receipt with the key «%s» is not ours", (key) => {
  expect(receipts({ status: "failed", biz_opaque_callback_data: key })).toEqual([]);
});

test("what is no delivery gives nothing, and neither does another number's or another field's", () => {
  const message = whatsappMessage("79991112233", "wamid.1", "Да");
  expect(reportedOf({ entry: "no" }, null)).toEqual([]);
  expect(receiptsOf(null)).toEqual([]);
  expect(reportedOf(whatsappDelivery("1055502", { messages: [message] }), "1055501")).toEqual([]);
  const delivery = whatsappDelivery("1055501", { messages: [message] });
  const other = JSON.parse(JSON.stringify(delivery).replace('"field":"messages"', '"field":"account_update"'));
  expect(reportedOf(delivery, "1055501")).toHaveLength(1);
  expect(reportedOf(other, "1055501")).toEqual([]);
});

test("the owner's message from his phone belongs to the contact's conversation, and one to nobody to none", () => {
  expect(ofOwner({ to: "+79991112233" })).toMatchObject([
    { conversation: "79991112233", fromOwner: true, peer: { id: "+7 999 111-22-33", name: "+7 999 111-22-33" } },
  ]);
  expect(ofOwner({})).toMatchObject([{ unread: {} }]);
});

test.each([
  [{ type: "audio", audio: { id: "m1" } }, ["Аудио"], [{ kind: "speech", name: "Аудио", at: { mediaId: "m1" } }]],
  [{ type: "image", image: { id: "m1" } }, ["Фото"], [{ kind: "picture", name: "Фото", at: { mediaId: "m1" } }]],
  [{ type: "document", document: { id: "m1" } }, ["Файл"], undefined],
  [{ type: "location", location: { latitude: 1 } }, ["Геопозиция"], undefined],
  [{ type: "unsupported" }, ["Сообщение, которого двойник не читает: WhatsApp его не передаёт"], undefined],
])("of %j it is known what it is, and whether it can be read", (content, attachments, media) => {
  const { text: _none, ...message } = whatsappMessage("79991112233", "wamid.1", "");
  const [inbound] = reportedOf(
    whatsappDelivery("1055501", { messages: [{ ...message, ...content }] }),
    null,
  ) as Inbound[];
  expect(inbound!.attachments).toEqual(attachments);
  expect(inbound!.media).toEqual(media);
});

test.each([{ type: "reaction", reaction: { message_id: "wamid.0" } }, { type: "system" }])(
  "%j says nothing, so it is not for the twin",
  (content) => {
    const { text: _none, ...message } = whatsappMessage("79991112233", "wamid.1", "");
    expect(reportedOf(whatsappDelivery("1055501", { messages: [{ ...message, ...content }] }), null)).toEqual([]);
  },
);
