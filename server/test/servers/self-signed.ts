import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A self-signed certificate for a server of this name, as PEM. */
export async function certificateFor(name: string): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), "dt-cert-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const made = ["-keyout", key, "-out", cert, "-subj", `/CN=${name}`, "-days", "2"];
  await promisify(execFile)("openssl", ["req", "-x509", ...curve, ...made, "-addext", `subjectAltName=DNS:${name}`]);
  const pair = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  await rm(folder, { recursive: true });
  return pair;
}
