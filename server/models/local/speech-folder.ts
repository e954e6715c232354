/** Determines which files of a folder make up a model that sherpa-onnx can run, by the names that publishers give them. */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The model's files, by their roles in sherpa-onnx. */
export type SpeechModel =
  | { kind: "ctc"; model: string; tokens: string }
  | { kind: "transducer"; encoder: string; decoder: string; joiner: string; tokens: string }
  | { kind: "whisper"; encoder: string; decoder: string; tokens: string };

interface SpeechFolder {
  model: SpeechModel;
  /** Total size of all files. */
  bytes: number;
}

export class NotSpeechModel extends Error {
  override name = "NotSpeechModel";
}

/** @throws NotSpeechModel */
export async function readSpeechFolder(folder: string): Promise<SpeechFolder> {
  const names = await readdir(folder).catch(() => {
    throw new NotSpeechModel(`no such folder: ${folder}`);
  });
  const model = modelOf(names);
  if (model === null) throw new NotSpeechModel(`no speech model in ${folder}`);
  const { kind, ...files } = model;
  let bytes = 0;
  for (const [part, name] of Object.entries(files)) {
    const path = join(folder, name);
    const head = part === "tokens" ? isVocabulary(path) : isOnnx(path);
    if (!(await head)) throw new NotSpeechModel(`${name} is damaged`);
    bytes += (await stat(path)).size;
  }
  const paths = Object.fromEntries(Object.entries(files).map(([part, name]) => [part, join(folder, name)]));
  return { model: { kind, ...paths } as SpeechModel, bytes };
}

/** Where a model comes in several precisions, the smallest (8-bit) is used. */
function modelOf(names: readonly string[]): SpeechModel | null {
  const sorted = names.toSorted(
    (one, other) => Number(isSmall(other)) - Number(isSmall(one)) || (one < other ? -1 : 1),
  );
  const find = (word: string) =>
    sorted.find((name) => name.toLowerCase().includes(word) && name.toLowerCase().endsWith(".onnx"));
  const tokens = sorted.find((name) => name.toLowerCase().endsWith("tokens.txt"));
  if (tokens === undefined) return null;
  const [encoder, decoder, joiner, model] = [find("encoder"), find("decoder"), find("joiner"), find("model")];
  if (encoder !== undefined && decoder !== undefined && joiner !== undefined)
    return { kind: "transducer", encoder, decoder, joiner, tokens };
  if (encoder !== undefined && decoder !== undefined) return { kind: "whisper", encoder, decoder, tokens };
  return model === undefined ? null : { kind: "ctc", model, tokens };
}

const isSmall = (name: string) => name.includes("int8");

const HEAD_BYTES = 64;
/** Protobuf tag of field 1 as a varint: the format version, with which every ONNX file begins. */
const ONNX_BEGINS = 0x08;

async function isOnnx(path: string): Promise<boolean> {
  const head = await headOf(path);
  return head.length === HEAD_BYTES && head[0] === ONNX_BEGINS && head[1]! < 64;
}

async function isVocabulary(path: string): Promise<boolean> {
  const head = await headOf(path);
  // A line of the token list: a token, a space and its number.
  return head.length > 3 && /^\S* \d/.test(head.toString("utf8"));
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
