/** Message encryption for Web Push (RFC 8291) in the content coding aes128gcm (RFC 8188): only the subscribed browser can decrypt it. */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

export interface SubscriptionKeys {
  /** P-256 public key, uncompressed: 65 bytes. */
  p256dh: Buffer;
  /** Authentication secret, 16 bytes. */
  auth: Buffer;
}

interface SenderSecrets {
  /** P-256 private key, 32 bytes. */
  privateKey: Buffer;
  /** Salt of RFC 8188, 16 bytes. */
  salt: Buffer;
}

const RECORD_BYTES = 4096;
const TAG_BYTES = 16;
/** Maximum message length: what fits into one record beside its delimiter and tag. */
export const MESSAGE_BYTES = RECORD_BYTES - TAG_BYTES - 1;

/**
 * @param secrets created anew for each message; passed only by the test of the RFC's example
 * @returns salt (16) · record size (4) · key length (1) · sender's public key (65) · the encrypted record
 * @throws RangeError when the message is longer than `MESSAGE_BYTES`; Error when `p256dh` is no point of the curve
 */
export function encryptMessage(message: Buffer, { p256dh, auth }: SubscriptionKeys, secrets?: SenderSecrets): Buffer {
  if (message.length > MESSAGE_BYTES) throw new RangeError("The message is too long for one record");
  const sender = createECDH("prime256v1");
  if (secrets === undefined) sender.generateKeys();
  else sender.setPrivateKey(secrets.privateKey);
  const salt = secrets?.salt ?? randomBytes(16);
  const own = sender.getPublicKey();
  const shared = sender.computeSecret(p256dh);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, own]);
  const secret = derive(shared, auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The byte 2 delimits the last record from its padding, which is empty.
  const record = Buffer.concat([
    cipher.update(message),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(own.length), own, record]);
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));
