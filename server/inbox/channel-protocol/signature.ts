/** Checks the secrets and signatures that platforms send. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Compares in constant time, so that timing does not reveal the secret. */
export function isSame(given: string | string[] | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given ?? "")), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns HMAC-SHA256 of the bytes under `key`, in lower-case hex. */
export function hmacHex(key: string, ...parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}
