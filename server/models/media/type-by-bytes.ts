/**
 * Determines a file's type from its first bytes; neither the platform's MIME type nor the name is trusted. Unknown types are neither stored
 * nor shown.
 */

const ascii = (bytes: Buffer, at: number, length: number): string => bytes.toString("latin1", at, at + length);

/** Returns the file's MIME type if a browser shows or plays such files and never executes them; null for all others. */
export function typeByBytes(bytes: Buffer): string | null {
  if (bytes.length < 12) return null;
  if (ascii(bytes, 0, 4) === "OggS") return "audio/ogg";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WAVE") return "audio/wav";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP") return "image/webp";
  if (ascii(bytes, 0, 3) === "ID3" || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)) return "audio/mpeg";
  if (bytes[0] === 0xff && (bytes[1]! & 0xf6) === 0xf0) return "audio/aac";
  if (ascii(bytes, 0, 5) === "#!AMR") return "audio/amr";
  if (ascii(bytes, 4, 4) === "ftyp") return "audio/mp4";
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return "audio/webm";
  if (ascii(bytes, 0, 4) === "fLaC") return "audio/flac";
  if (bytes.readUInt32BE(0) === 0x89504e47) return "image/png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  return ascii(bytes, 0, 4) === "GIF8" ? "image/gif" : null;
}

/** Returns the length in seconds that the container states; null when it states none or its format is unknown. */
export function secondsOf(bytes: Buffer, mime: string): number | null {
  if (mime === "audio/wav") return secondsOfWav(bytes);
  return mime === "audio/ogg" ? secondsOfOpus(bytes) : null;
}

/** Opus counts 48,000 samples a second at any recording rate; the last Ogg page holds the total. */
function secondsOfOpus(bytes: Buffer): number | null {
  const head = bytes.indexOf("OpusHead");
  if (head < 0 || head > 512 || head + 12 > bytes.length) return null;
  const last = bytes.lastIndexOf("OggS");
  if (last < 0 || last + 14 > bytes.length) return null;
  const samples = Number(bytes.readBigInt64LE(last + 6)) - bytes.readUInt16LE(head + 10);
  return samples > 0 && samples < 48_000 * 86_400 ? samples / 48_000 : null;
}

function secondsOfWav(bytes: Buffer): number | null {
  const format = bytes.indexOf("fmt ");
  if (format < 0 || format + 20 > bytes.length) return null;
  const rate = bytes.readUInt32LE(format + 16);
  // All bytes after the 44-byte header count as sound, because a streaming recorder writes a wrong length.
  return rate > 0 ? (bytes.length - 44) / rate : null;
}
