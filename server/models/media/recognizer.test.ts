import { expect, test } from "vitest";
import { off } from "./off.ts";
import { mayBeTriedAgain, mediaKindOf } from "./recognizer.ts";

test("what is off says so in the owner's words and is not tried again", async () => {
  const source = { kind: "bytes" as const, bytes: Buffer.alloc(0) };
  const bounds = { signal: new AbortController().signal, maxSeconds: 60, maxChars: 100 };
  const outcome = await off({ source, mime: "audio/ogg", durationSeconds: 2 }, bounds);
  expect(outcome).toMatchObject({ ok: false, kind: "off" });
  expect(!outcome.ok && mayBeTriedAgain(outcome)).toBe(false);
});

test.each([
  ["audio/ogg", "speech"],
  ["image/png", "picture"],
  ["video/mp4", null],
  ["application/pdf", null],
] as const)("%s is %s", (mime, kind) => expect(mediaKindOf(mime)).toBe(kind));
