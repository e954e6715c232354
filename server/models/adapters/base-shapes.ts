/** Identifies a model file, because an adapter fits only one model. */
import { createHash } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { type GgufHead, type GgufTensor, readHead } from "#server/models/local/gguf-head.ts";

export interface BaseShapes {
  architecture: string;
  /** Tensor shapes by tensor name, the fastest-varying dimension first. */
  shapes: ReadonlyMap<string, readonly number[]>;
  /** Equal for models whose tensors have the same names and shapes, regardless of quantisation. */
  fingerprint: string;
  /**
   * Digest of the values that no quantisation changes: the vectors of 32-bit floats, such as the norms. If it differs, so do the models. If
   * only `file` differs, it is the same model in another quantisation, or one fine-tuned without changing these values.
   */
  weights: string;
  /** Digest of the file's length and of samples of its content. */
  file: string;
}

/** In bytes: a vocabulary of a quarter of a million words takes about ten megabytes. */
const MAX_HEAD_BYTES = 64 * 1024 ** 2;
const FIRST_HEAD_BYTES = 16 * 1024 ** 2;

/** Cache by path: a model's file does not change under the same name. */
const known = new Map<string, Promise<BaseShapes | null>>();
const MAX_CACHED = 16;

/** null: the file does not exist, or its head is unreadable. */
export function baseShapes(path: string): Promise<BaseShapes | null> {
  let shapes = known.get(path);
  if (shapes === undefined) {
    shapes = readShapes(path).catch(() => null);
    if (known.size >= MAX_CACHED) known.delete(known.keys().next().value!);
    known.set(path, shapes);
    // The file may appear later, so a missing one is not cached.
    void shapes.then((read) => read ?? known.delete(path));
  }
  return shapes;
}

async function readShapes(path: string): Promise<BaseShapes | null> {
  // The first read usually contains the whole head. A longer head is parsed again after each further read, which blocks the event loop.
  const head = await readWholeHead(path, MAX_HEAD_BYTES, FIRST_HEAD_BYTES);
  const architecture = head?.metadata.get("general.architecture");
  if (!head?.tensors || typeof architecture !== "string") return null;
  const shapes = new Map(head.tensors.map(({ name, shape }) => [name, shape]));
  const lines = [...shapes].map(([name, shape]) => `${name} ${shape.join("x")}`).toSorted();
  const fingerprint = createHash("sha256")
    .update([architecture, ...lines].join("\n"))
    .digest("hex")
    .slice(0, 32);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const dataAt = head.dataAt ?? size;
    return {
      ...{ architecture, shapes, fingerprint },
      weights: await digestOf(file, unquantised({ ...head, tensors: head.tensors }, dataAt)),
      file: await digestOf(file, samplesOf(size), `${size}`),
    };
  } finally {
    await file.close();
  }
}

/** A range of a file, in bytes. */
interface Piece {
  at: number;
  bytes: number;
}

const FLOAT32 = 0;
/** In bytes; a model with a hundred layers stays below. */
const MAX_VECTOR_BYTES = 64 * 1024 ** 2;

/** Returns the vectors that are not quantised, sorted by name, because files order their tensors differently. */
function unquantised({ tensors }: { tensors: readonly GgufTensor[] }, dataAt: number): Piece[] {
  const vectors = tensors
    .filter(({ type, shape }) => type === FLOAT32 && shape.length === 1)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ shape, offset }) => ({ at: dataAt + offset, bytes: shape[0]! * 4 }));
  return vectors.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_VECTOR_BYTES ? vectors : [];
}

const SAMPLES = 256;
const SAMPLE_BYTES = 4096;

/** Returns evenly spaced pieces from the beginning to the end of the file. */
const samplesOf = (size: number): Piece[] =>
  Array.from({ length: SAMPLES }, (_, at) => ({
    at: Math.floor((Math.max(0, size - SAMPLE_BYTES) * at) / (SAMPLES - 1)),
    bytes: SAMPLE_BYTES,
  }));

async function digestOf(file: FileHandle, pieces: readonly Piece[], known = ""): Promise<string> {
  const hash = createHash("sha256").update(known);
  for (const { at, bytes } of pieces) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.digest("hex").slice(0, 32);
}

/** Reads a head of at most `maxBytes`; null: the file is not GGUF. Its tensors are null when the head is longer or corrupt. */
export async function readWholeHead(path: string, maxBytes: number, firstBytes = 1024 ** 2): Promise<GgufHead | null> {
  const most = Math.min(maxBytes, (await stat(path)).size);
  const file = await open(path);
  try {
    for (let size = Math.min(most, firstBytes); ; size = Math.min(most, size * 4)) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const head = readHead(buffer.subarray(0, bytesRead));
      if (head === null || head.tensors !== null || size === most) return head;
    }
  } finally {
    await file.close();
  }
}
