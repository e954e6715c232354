/** Identifies the sender to a push service (RFC 8292): a signed token, and the public key that browsers subscribe with. */
import { createECDH, createPrivateKey, sign } from "node:crypto";

export interface VapidKeys {
  /** P-256 public key, uncompressed, base64url: browsers take it as `applicationServerKey`. */
  publicKey: string;
  /** P-256 private key, 32 bytes, base64url. */
  privateKey: string;
}

/** RFC 8292 allows 24 hours at most. */
const VALID_SECONDS = 12 * 3600;

export function makeVapidKeys(): VapidKeys {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  // The key may begin with a zero byte, so the buffer has a fixed length.
  const secret = Buffer.alloc(32);
  const short = keys.getPrivateKey();
  short.copy(secret, 32 - short.length);
  return { publicKey: keys.getPublicKey("base64url"), privateKey: secret.toString("base64url") };
}

/**
 * Returns the `Authorization` header for one push service.
 * @param contact address for the service's questions about these messages: `https:` or `mailto:`
 */
export function vapidHeader({ publicKey, privateKey }: VapidKeys, audience: string, contact: string, now = Date.now()) {
  const expires = Math.floor(now / 1000) + VALID_SECONDS;
  const claims = [
    { typ: "JWT", alg: "ES256" },
    { aud: audience, exp: expires, sub: contact },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const point = Buffer.from(publicKey, "base64url");
  const key = createPrivateKey({
    format: "jwk",
    key: {
      ...{ kty: "EC", crv: "P-256", d: privateKey },
      ...{ x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") },
    },
  });
  const signed = claims.join(".");
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}
