/** A local server that replaces Telegram's data centre in tests. */
export interface TelegramDc {
  host: string;
  port: number;
  /** RSA public key, PKCS#1 PEM; null: Telegram's own key. */
  publicKey: string | null;
}

export function telegramDc(address: string, key: string | undefined): TelegramDc {
  const [host, port] = address.split(":") as [string, string];
  const pem = key && `-----BEGIN RSA PUBLIC KEY-----\n${key}\n-----END RSA PUBLIC KEY-----`;
  return { host, port: Number(port), publicKey: pem ?? null };
}
