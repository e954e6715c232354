/** Root certificates that models' servers may be signed by: the usual ones, and those that the operator has given in a file. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";
import { ConfigError } from "#server/config.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g;

/** null: no file is set, and the usual ones serve. @throws ConfigError when the file holds no certificate */
export async function trustedRoots(file: string | null): Promise<string[] | null> {
  if (file === null) return null;
  const text = await readFile(file, "utf8").catch(() => {
    throw new ConfigError(`MODEL_CA_FILE: файл ${file} не читается`);
  });
  const found = text.match(CERTIFICATE) ?? [];
  try {
    for (const pem of found) new X509Certificate(pem);
  } catch {
    throw new ConfigError(`MODEL_CA_FILE: в файле ${file} есть повреждённый сертификат`);
  }
  if (found.length === 0) throw new ConfigError(`MODEL_CA_FILE: в файле ${file} нет сертификатов в формате PEM`);
  return [...getCACertificates("default"), ...found];
}
