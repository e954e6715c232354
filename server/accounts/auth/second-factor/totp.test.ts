import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { matchingStep, newTotpSecret, totpUri } from "./totp.ts";

/** The secret of RFC 6238, appendix B, for SHA-1. */
const SECRET = Secret.fromUTF8("12345678901234567890");

describe("time-based codes", () => {
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("are those of RFC 6238 at %d s", (seconds, code) => {
    expect(matchingStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test("are accepted one step early and one step late, and no further", () => {
    const now = 1_700_000_010_000;
    const step = Math.floor(now / 30_000);
    const codeAt = (counter: number) => TOTP.generate({ secret: SECRET, timestamp: counter * 30_000 });
    const taken = [-2, -1, 0, 1, 2].map((by) => matchingStep(SECRET, codeAt(step + by), now));
    expect(taken).toEqual([null, step - 1, step, step + 1, null]);
    expect(matchingStep(SECRET, "", now)).toBeNull();
  });

  test("have a secret of 160 bits, written in base32 in the app's address", () => {
    expect(newTotpSecret().bytes).toHaveLength(20);
    expect(newTotpSecret().hex).not.toBe(newTotpSecret().hex);
    const uri = new URL(totpUri(SECRET, "anna@example.test"));
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      issuer: "Цифровые двойники",
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect(decodeURIComponent(uri.pathname)).toBe("/Цифровые двойники:anna@example.test");
  });
});
