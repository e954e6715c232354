/** Time-based one-time passwords: RFC 6238 over RFC 4226 (HMAC-SHA-1, 30 s, six digits), as every authenticator app supports them. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const STEP_S = 30;
const DIGITS = 6;
/** As long as the hash (RFC 4226, section 4, requirement 6). */
const SECRET_BYTES = 20;
/** Steps by which clocks may differ to either side (RFC 6238, section 5.2). */
const DRIFT = 1;

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The number of the 30-second step. @param now milliseconds since 1970 */
export const stepAt = (now: number): number => Math.floor(now / 1000 / STEP_S);

/** The code of a step. @param digits up to 8 */
export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = hash[hash.length - 1]! & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The step that `code` belongs to, among those accepted at `now`; null for a wrong code. All are compared, so that the time is the same.
 */
export function matchingStep(secret: Buffer, code: string, now: number): number | null {
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = stepAt(now) - DRIFT; step <= stepAt(now) + DRIFT; step++) {
    const right = Buffer.from(totpCode(secret, step));
    if (given.length === right.length && timingSafeEqual(given, right)) found = step;
  }
  return found;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, section 6, without padding: what a person types into the app. Five bits per letter. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** The content of the QR code (Google Authenticator's key URI format); parameters with their default values are omitted. */
export function totpUri(secret: Buffer, account: string): string {
  const issuer = encodeURIComponent("Цифровые двойники");
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=${issuer}`;
}
