/** Time-based one-time passwords (RFC 6238) as every authenticator app supports them: HMAC-SHA-1, 30 s, six digits. */
import { Secret, TOTP } from "otpauth";

/** A secret is as long as the hash (RFC 4226, section 4, requirement 6). */
const SECRET_BYTES = 20;
/** Number of time steps by which a clock may differ in either direction (RFC 6238, section 5.2). */
const DRIFT = 1;

export const newTotpSecret = (): Secret => new Secret({ size: SECRET_BYTES });

/**
 * Returns the number of the 30-second step that `code` belongs to, among those accepted at `now`; null for a wrong code.
 * @param code six digits
 * @param now milliseconds since 1970
 */
export function matchingStep(secret: Secret, code: string, now: number): number | null {
  const delta = TOTP.validate({ token: code, secret, timestamp: now, window: DRIFT });
  return delta === null ? null : TOTP.counter({ timestamp: now }) + delta;
}

/** Returns the content of the QR code (Google Authenticator's key URI format). */
export const totpUri = (secret: Secret, account: string): string =>
  new TOTP({ issuer: "Цифровые двойники", label: account, secret }).toString();
