import { describe, expect, test } from "vitest";
import { base32, matchingStep, stepAt, totpCode, totpUri } from "./totp.ts";

/** The secret of RFC 6238, appendix B, for SHA-1. */
const SECRET = Buffer.from("12345678901234567890");

describe("time-based codes", () => {
  test.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("are those of RFC 6238 at %d s", (seconds, code) => {
    expect(totpCode(SECRET, stepAt(seconds * 1000), 8)).toBe(code);
  });

  test("are accepted one step early and one step late, and no further", () => {
    const now = 1_700_000_010_000;
    const taken = [-2, -1, 0, 1, 2].map((by) => matchingStep(SECRET, totpCode(SECRET, stepAt(now) + by), now));
    expect(taken).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null]);
    expect(matchingStep(SECRET, "", now)).toBeNull();
  });

  test("have their secret written in base32 (RFC 4648)", () => {
    expect([Buffer.from("foobar"), Buffer.from("fo"), SECRET].map(base32)).toEqual([
      "MZXW6YTBOI",
      "MZXQ",
      "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    ]);
    const uri = new URL(totpUri(SECRET, "anna@example.test"));
    expect(uri.searchParams.get("secret")).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    expect(decodeURIComponent(uri.pathname)).toBe("/Цифровые двойники:anna@example.test");
  });
});
