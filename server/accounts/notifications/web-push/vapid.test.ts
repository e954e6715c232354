import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { makeVapidKeys, vapidHeader } from "./vapid.ts";

test("the token is signed with the key that stands beside it, for one service and for half a day", () => {
  const keys = makeVapidKeys();
  const header = vapidHeader(keys, "https://push.example", "https://twins.example", 1_000_000_000_000);
  const [, head, claims, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header)!;
  expect(key).toBe(keys.publicKey);
  const point = Buffer.from(key!, "base64url");
  expect(point).toHaveLength(65);
  const jwk = { kty: "EC", crv: "P-256", x: point.toString("base64url", 1, 33), y: point.toString("base64url", 33) };
  const publicKey = createPublicKey({ format: "jwk", key: jwk });
  const signed = Buffer.from(`${head}.${claims}`);
  const raw = Buffer.from(signature!, "base64url");
  expect(verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
  expect(JSON.parse(Buffer.from(claims!, "base64url").toString())).toEqual({
    aud: "https://push.example",
    exp: 1_000_000_000 + 12 * 3600,
    sub: "https://twins.example",
  });
});
