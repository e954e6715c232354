// Binary format of a segment: a 16-byte preamble, a JSON header with the length of every array, then the arrays in their memory layout on
// 8-byte boundaries. Decoding creates views instead of copies. Numbers are little-endian, as on every machine that runs Node 24.
import { crc32 } from "node:zlib";
import type { Field, Segment } from "../index-segment.ts";

const magic = 0x53_49_54_44; // "DTIS"
const version = 1;
const preamble = 16;

/** Signature of segments of this version. */
export const readableStart: Buffer = Buffer.alloc(8);
readableStart.writeUInt32LE(magic, 0);
readableStart.writeUInt32LE(version, 4);

/** Thrown by `decodeSegment`: the bytes are damaged or of another version. The index is then rebuilt from its rows. */
export class UnreadableSegment extends Error {
  override name = "UnreadableSegment";
}

type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

interface Header {
  kind: string;
  stemLength: number;
  gramLength: number;
  sizes: number[];
}

const fieldTypes = [
  Float64Array,
  Uint32Array,
  Uint32Array,
  Uint16Array,
  Uint8Array,
  Uint8Array,
  Uint16Array,
  Uint16Array,
];
const segmentTypes = [Float64Array, Float64Array, Uint32Array, ...fieldTypes, ...fieldTypes];

function fieldArrays(field: Field): Numbers[] {
  const { keys, directory, starts, units, counts, peakCounts, shortest, lengths } = field;
  return [keys, directory, starts, units, counts, peakCounts, shortest, lengths];
}

function arraysOf(segment: Segment): Numbers[] {
  const { ids, audiences, audienceStarts, stems, grams } = segment;
  return [ids, audiences, audienceStarts, ...fieldArrays(stems), ...fieldArrays(grams)];
}

export function sizeOf(segment: Segment): number {
  return arraysOf(segment).reduce((sum, array) => sum + array.byteLength, 0);
}

export function encodeSegment(segment: Segment): Buffer {
  const arrays = arraysOf(segment);
  const header: Header = {
    kind: segment.kind,
    stemLength: segment.stems.totalLength,
    gramLength: segment.grams.totalLength,
    sizes: arrays.map((array) => array.length),
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const start = aligned(preamble + headerBytes.length);
  const bytes = Buffer.alloc(arrays.reduce((sum, array) => sum + aligned(array.byteLength), start));
  readableStart.copy(bytes);
  bytes.writeUInt32LE(headerBytes.length, 12);
  headerBytes.copy(bytes, preamble);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(12)), 8);
  return bytes;
}

/** Returns the segment as views of `source`, which must not change afterwards. Throws `UnreadableSegment`. */
export function decodeSegment(source: Uint8Array): Segment {
  const bytes = source.byteOffset % 8 === 0 ? source : Uint8Array.from(source);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < preamble || !readableStart.equals(bytes.subarray(0, readableStart.length))) {
    throw new UnreadableSegment("not an index segment, or one of another version");
  }
  if (view.getUint32(8, true) !== crc32(bytes.subarray(12))) throw new UnreadableSegment("a damaged index segment");

  const headerLength = view.getUint32(12, true);
  const headerBytes = Buffer.from(bytes.buffer, bytes.byteOffset + preamble, headerLength);
  const header = JSON.parse(headerBytes.toString()) as Header;
  let at = bytes.byteOffset + aligned(preamble + headerLength);
  const arrays = segmentTypes.map((type, index) => {
    const array = new type(bytes.buffer as ArrayBuffer, at, header.sizes[index]!);
    at += aligned(array.byteLength);
    return array;
  });
  const [ids, audiences, audienceStarts] = arrays as [Float64Array, Float64Array, Uint32Array];
  return {
    kind: header.kind,
    ids,
    audiences,
    audienceStarts,
    stems: fieldOf(arrays.slice(3, 3 + fieldTypes.length), header.stemLength),
    grams: fieldOf(arrays.slice(3 + fieldTypes.length), header.gramLength),
  };
}

function fieldOf(arrays: Numbers[], totalLength: number): Field {
  const [keys, directory, starts, units, counts, peakCounts, shortest, lengths] = arrays as [
    Float64Array,
    Uint32Array,
    Uint32Array,
    Uint16Array,
    Uint8Array,
    Uint8Array,
    Uint16Array,
    Uint16Array,
  ];
  return { keys, directory, starts, units, counts, peakCounts, shortest, lengths, totalLength };
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}
