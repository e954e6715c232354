/** A file that is whole: looked at, and kept or removed. No file is loaded before this. */
import { rename } from "node:fs/promises";
import type { ModelKind } from "#contract/models/local-models.ts";
import { READER_TOKENS } from "../local-models.ts";
import { NotAModel, readModelFile } from "../model-file.ts";
import { forModels, type Machine, neededByCard, neededBytes } from "../model-memory.ts";
import { kindOfFile } from "./file-kind.ts";
import { modelPath, partPath, removeModelFiles, speechPath } from "./model-rows.ts";
import type { FileProblem } from "./problems.ts";
import { NotSpeechModel, readSpeechFolder } from "./speech-folder.ts";

export interface Settled {
  kind: ModelKind;
  architecture: string;
  contextTokens: number | null;
  tokenBytes: number;
}

interface FileToVerify {
  dataDir: string;
  storedName: string;
  /** What it was taken for; null: whatever it is. */
  kind: ModelKind | null;
  /** Its sender's name for it. */
  fileName: string;
  machine: Machine;
  /** Most tokens that one that writes may see at once. */
  most: number;
}

/** What the file is, now under its own name; or why it is gone. */
export async function verifyFile(settling: FileToVerify): Promise<Settled | FileProblem> {
  const { dataDir, storedName } = settling;
  const settled = await lookAt(settling);
  if (typeof settled === "string") await removeModelFiles(dataDir, storedName);
  else await rename(partPath(dataDir, storedName), modelPath(dataDir, storedName));
  return settled;
}

/** The same for the folder of a speech model. */
export async function verifySpeech({
  dataDir,
  storedName,
  machine,
}: Pick<FileToVerify, "dataDir" | "storedName" | "machine">): Promise<Settled | FileProblem> {
  const settled = await lookAtSpeech(partPath(dataDir, storedName), machine);
  if (typeof settled === "string") await removeModelFiles(dataDir, storedName);
  else await rename(partPath(dataDir, storedName), speechPath(dataDir, storedName));
  return settled;
}

async function lookAtSpeech(folder: string, machine: Machine): Promise<Settled | FileProblem> {
  try {
    const { model, bytes } = await readSpeechFolder(folder);
    if (neededByCard({ kind: "speech", bytes }) > forModels(machine)) return "no-memory";
    return { kind: "speech", architecture: model.kind, contextTokens: null, tokenBytes: 0 };
  } catch (error) {
    if (error instanceof NotSpeechModel) return "not-speech";
    throw error;
  }
}

async function lookAt({
  dataDir,
  storedName,
  kind,
  fileName,
  machine,
  most,
}: FileToVerify): Promise<Settled | FileProblem> {
  try {
    const facts = await readModelFile(partPath(dataDir, storedName));
    const found = kindOfFile(facts, fileName);
    if (found === null) return "not-served";
    if (kind !== null && found !== kind) return "another-kind";
    const { architecture, contextTokens, tokenBytes, bytes } = facts;
    const limit = found === "chat" ? most : READER_TOKENS;
    const seen = Math.min(limit, contextTokens ?? limit);
    if (neededBytes(bytes, tokenBytes * seen) > forModels(machine)) return "no-memory";
    return { kind: found, architecture, contextTokens, tokenBytes };
  } catch (error) {
    if (error instanceof NotAModel) return "not-a-model";
    throw error;
  }
}
