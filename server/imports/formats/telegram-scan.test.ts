import fc from "fast-check";
import { expect, test } from "vitest";
import { localClock } from "#server/knowledge/messages/wall-clock-time.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { ByteWindow, scanValue } from "./parts/json-bytes.ts";
import { readTelegramMessage } from "./telegram-message.ts";
import { MessageScan } from "./telegram-scan.ts";

const place = { chatId: "user7", line: 3 };

/** Reads a message in the middle of other bytes by the scan and as JSON; both must give the same. */
function readBoth(message: Buffer) {
  const bytes = Buffer.concat([Buffer.from("{},\n "), message, Buffer.from("\n ,{}]")]);
  const scan = new MessageScan();
  const scanned = scan.read(bytes, 5, place);
  const window = new ByteWindow();
  window.append(bytes.subarray(5));
  const whole = { length: 0, depth: 0, inString: false };
  scanValue(window, whole);
  const parsed = readTelegramMessage(bytes.subarray(5, 5 + whole.length), { ...place, clock: localClock("UTC") });
  return { scanned, parsed, length: scan.end - 5, whole: whole.length };
}

const plain = {
  id: 12,
  type: "message",
  date: "2023-11-14T22:13:20",
  date_unixtime: "1700000000",
  edited_unixtime: "1700000100",
  from: "Анна \u{1f600}",
  from_id: "user5",
  reply_to_message_id: 9,
  file: "files/1.pdf",
  width: -1.5e3,
  reactions: [{ type: "emoji", count: 1, recent: [{ from: "Б", date: null }] }],
  text: 'да "нет"\n\\ \u{1f469}\u200d\u{1f467} ы',
  text_entities: [{ type: "plain", text: "да" }],
};

const odd = fc.oneof(
  fc.constantFrom("", "0", "007", "user1", "1700000000", "message", "service", "\0", "\ud83d", "\uFFFD", " "),
  fc.constantFrom<unknown>(0, -1, 1.5, 1e21, null, true, [], {}, ["a", { type: "bold", text: "b" }], [[[{}]]]),
  fc.string({ unit: "binary", maxLength: 8 }),
);

test("a plain message is read in one pass, with whatever else stands in it", () => {
  for (const indent of [0, 1, "\t"]) {
    const { scanned, parsed, length, whole } = readBoth(Buffer.from(JSON.stringify(plain, null, indent)));
    expect(scanned).toMatchObject({
      externalId: "12",
      replyTo: "9",
      authorId: "user5",
      text: plain.text,
      kind: "text",
    });
    expect(scanned).toEqual(parsed);
    expect(length).toBe(whole);
  }
});

test("what the one pass reads of any message, also a damaged one, is what parsing it as JSON reads", () => {
  const members = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(...Object.keys(plain), "via_bot", "reply_to_peer_id", "actor", "__proto__", "te\\xt"),
      odd,
    ),
    { selector: ([key]) => key, maxLength: 4 },
  );
  const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'"\\{}[],:x0e-.\n\u0001', "\xff", "\xd0")), {
    maxLength: 2,
  });
  fc.assert(
    fc.property(members, damage, fc.constantFrom(0, 1), fc.boolean(), (changes, strokes, indent, twice) => {
      // A member may occur twice; JSON takes the last one.
      const first = Object.fromEntries(changes);
      const json = JSON.stringify({ ...plain, ...(twice ? {} : first) }, null, indent);
      const bytes = Buffer.from(twice ? json.replace("{", `{${JSON.stringify(first).slice(1, -1) || '"":0'},`) : json);
      for (const [at, byte] of strokes) bytes[1 + (at % (bytes.length - 1))] = byte.charCodeAt(0);
      const { scanned, parsed, length, whole } = readBoth(bytes);
      if (scanned === null) return;
      expect(scanned).toEqual(parsed);
      expect(length).toBe(whole);
    }),
    { numRuns: randomRuns(800) },
  );
});
