import { X509Certificate } from "node:crypto";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g;

/** Returns the certificates (PEM) in a file's text. @throws Error when one of them is damaged */
export function certificatesIn(text: string): string[] {
  const found = text.match(CERTIFICATE) ?? [];
  for (const pem of found) new X509Certificate(pem);
  return [...found];
}
