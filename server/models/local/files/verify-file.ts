/** Verifies a complete file, and keeps or removes it. No model file is loaded before this check. */
import { rename } from "node:fs/promises";
import type { ModelKind } from "#contract/models/local-models.ts";
import { READER_TOKENS } from "../local-models.ts";
import { NotAModel, readModelFile } from "../model-file.ts";
import { forModels, type Machine, neededByCard, neededBytes } from "../model-memory.ts";
import { modelPath, partPath, removeModelFiles, speechPath } from "../model-rows.ts";
import { NotSpeechModel, readSpeechFolder } from "../speech-folder.ts";
import { kindOfFile } from "./file-kind.ts";
import type { FileProblem } from "./problems.ts";

export interface VerifiedModel {
  kind: ModelKind;
  architecture: string;
  contextTokens: number | null;
  tokenBytes: number;
}

interface FileToVerify {
  dataDir: string;
  storedName: string;
  /** The expected kind; null: any kind is accepted. */
  kind: ModelKind | null;
  /** The file name that the sender gave. */
  fileName: string;
  machine: Machine;
  /** Maximum context of a generating model, in tokens. */
  most: number;
}

/** Moves a valid file to its final name and returns its facts; removes an invalid one and returns the reason. */
export async function verifyFile(settling: FileToVerify): Promise<VerifiedModel | FileProblem> {
  const { dataDir, storedName } = settling;
  const settled = await lookAt(settling);
  if (typeof settled === "string") await removeModelFiles(dataDir, storedName);
  else await rename(partPath(dataDir, storedName), modelPath(dataDir, storedName));
  return settled;
}

/** The same as `verifyFile` for the folder of a speech model. */
export async function verifySpeech({
  dataDir,
  storedName,
  machine,
}: Pick<FileToVerify, "dataDir" | "storedName" | "machine">): Promise<VerifiedModel | FileProblem> {
  const settled = await lookAtSpeech(partPath(dataDir, storedName), machine);
  if (typeof settled === "string") await removeModelFiles(dataDir, storedName);
  else await rename(partPath(dataDir, storedName), speechPath(dataDir, storedName));
  return settled;
}

async function lookAtSpeech(folder: string, machine: Machine): Promise<VerifiedModel | FileProblem> {
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
}: FileToVerify): Promise<VerifiedModel | FileProblem> {
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
