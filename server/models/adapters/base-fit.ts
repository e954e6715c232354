/** Whether a voice was trained for the present chat model, judged by the base model's digests stored at its upload. */
import type { BaseShapes } from "./base-shapes.ts";

interface NotedBase {
  baseShape: string | null;
  /** null: the voice was uploaded before digests were stored. */
  baseWeights: string | null;
  baseFile: string | null;
}

/**
 * other-file: the same model in another quantisation, or a close relative, in another file. The voice is used, and the owner is informed.
 */
type BaseFit = "same" | "other-file" | "other";

/** @param base null: no local model is in use */
export function fitOf(voice: NotedBase, base: BaseShapes | null): BaseFit {
  if (base === null || voice.baseShape !== base.fingerprint) return "other";
  if (voice.baseWeights !== null && voice.baseWeights !== base.weights) return "other";
  return voice.baseFile === null || voice.baseFile === base.file ? "same" : "other-file";
}
