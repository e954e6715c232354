/** Reads format, size and orientation from the first bytes of a picture, before it is decoded. */
import type { Orientation } from "./grey.ts";

interface PictureHead {
  width: number;
  height: number;
  orientation: Orientation;
}

/** null: the format is not supported, or the head is damaged. */
export function readPictureHead(bytes: Buffer): PictureHead | null {
  try {
    const head = headOf(bytes);
    return head !== null && head.width > 0 && head.height > 0 ? head : null;
  } catch (error) {
    // The file is shorter than its head declares.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function headOf(bytes: Buffer): PictureHead | null {
  const begins = (at: number, text: string) => bytes.toString("latin1", at, at + text.length) === text;
  const upright = (width: number, height: number): PictureHead => ({ width, height, orientation: 1 });
  if (begins(0, "\x89PNG\r\n\x1a\n") && begins(12, "IHDR"))
    return upright(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (begins(0, "GIF8")) return upright(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (begins(0, "BM")) return upright(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)));
  if (begins(0, "RIFF") && begins(8, "WEBP")) return webp(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpeg(bytes) : null;
}

function webp(bytes: Buffer): PictureHead | null {
  const kind = bytes.toString("latin1", 12, 16);
  const size = (width: number, height: number): PictureHead => ({ width, height, orientation: 1 });
  if (kind === "VP8X") return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (kind === "VP8 ") return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== "VP8L") return null;
  const packed = bytes.readUInt32LE(21);
  return size((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
}

function jpeg(bytes: Buffer): PictureHead | null {
  let orientation: Orientation = 1;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    // Padding between segments, and markers without a length.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (marker === 0xe1) orientation = exifOrientation(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), orientation };
    // Image data, or the end, comes before any frame header.
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + length;
  }
  return null;
}

const ORIENTATION = 0x0112;

function exifOrientation(segment: Buffer): Orientation | null {
  if (segment.toString("latin1", 0, 6) !== "Exif\0\0" || segment.length < 14) return null;
  const tiff = segment.subarray(6);
  const small = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number) => (small ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const table = small ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (table + 2 > tiff.length) return null;
  const entries = u16(table);
  for (let entry = 0; entry < entries; entry++) {
    const at = table + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (u16(at) !== ORIENTATION) continue;
    const value = u16(at + 8);
    return value >= 1 && value <= 8 ? (value as Orientation) : null;
  }
  return null;
}
