/** Root certificates for model servers: the usual ones, and those in a file that the operator has set. */
import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";
import { certificatesIn } from "#server/platform/config/certificates.ts";
import { ConfigError } from "#server/platform/config.ts";

/** Returns null when no file is set, so that the usual roots apply. @throws ConfigError when the file holds no certificate */
export async function trustedRoots(file: string | null): Promise<string[] | null> {
  if (file === null) return null;
  const text = await readFile(file, "utf8").catch(() => {
    throw new ConfigError(`MODEL_CA_FILE: файл ${file} не читается`);
  });
  const found = certificatesOf(text, file);
  if (found.length === 0) throw new ConfigError(`MODEL_CA_FILE: в файле ${file} нет сертификатов в формате PEM`);
  return [...getCACertificates("default"), ...found];
}

function certificatesOf(text: string, file: string): string[] {
  try {
    return certificatesIn(text);
  } catch {
    throw new ConfigError(`MODEL_CA_FILE: в файле ${file} есть повреждённый сертификат`);
  }
}
