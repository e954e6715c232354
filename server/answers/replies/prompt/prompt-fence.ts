/** The mark that encloses data in a prompt. */
import { createHmac, randomBytes } from "node:crypto";

/** Random for each process; never stored, never sent. */
const KEY = randomBytes(32);
const FENCE_CHARS = 12;

/**
 * The fence is the same for all replies of a twin while the server runs, so that a model's server can reuse what it has read before the
 * data. It cannot be guessed, and extracting it from a model gains nothing: it is removed from all data (`withoutFence`), and an answer
 * that holds it is cut (docs/decisions/026-answer-verification.md).
 */
export const fenceOf = (twinId: string): string =>
  createHmac("sha256", KEY).update(twinId).digest("base64url").slice(0, FENCE_CHARS);

export const withoutFence = (text: string, fence: string): string => text.replaceAll(fence, "…");
