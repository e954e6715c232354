import { randomBytes } from "node:crypto";

/** Builds a multipart form with one file. Names and values must be constants of ours: they are not escaped. */
export function multipart(
  fields: Record<string, string>,
  file: { name: string; mime: string; bytes: Buffer },
): { body: Buffer; contentType: string } {
  const boundary = `----${randomBytes(18).toString("hex")}`;
  const head = (rest: string) => `--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}\r\n${value}\r\n`);
  const opening = `${parts.join("")}${head(`name="file"; filename="${file.name}"`)}Content-Type: ${file.mime}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(opening), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
