import { createHmac, randomBytes } from "node:crypto";

/** Key of all fences: random for each process, never stored, never sent. */
const KEY = randomBytes(32);
const FENCE_CHARS = 12;

/**
 * Returns the twin's fence. It is constant while the server runs, so that a model's server can reuse its cache of the text before the
 * data. It cannot be guessed, and extracting it from a model is useless: `withoutFence` removes it from all data, and an answer that
 * contains it is cut (docs/decisions/026-answer-verification.md).
 */
export const fenceOf = (twinId: string): string =>
  createHmac("sha256", KEY).update(twinId).digest("base64url").slice(0, FENCE_CHARS);

export const withoutFence = (text: string, fence: string): string => text.replaceAll(fence, "…");
