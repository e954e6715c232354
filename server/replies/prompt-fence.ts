/** The mark between which a prompt's data stand. */
import { createHmac, randomBytes } from "node:crypto";

/** Of this process: never stored, never sent. */
const KEY = randomBytes(32);
const FENCE_CHARS = 12;

/**
 * The same for all replies of a twin while the server runs, so that what stands before the data need not be read anew by the model's server. Nobody can
 * calculate it, and who has got it out of a model can do nothing with it: it is taken out of all data (`withoutFence`), and an answer
 * that holds it is cut (docs/decisions/053).
 */
export const fenceOf = (twinId: string): string =>
  createHmac("sha256", KEY).update(twinId).digest("base64url").slice(0, FENCE_CHARS);

export const withoutFence = (text: string, fence: string): string => text.replaceAll(fence, "…");
