import { createHash } from "node:crypto";

/** Identifies a fact that its owner has decided on after its words are deleted; kept among the hashes of `declined_replies`. */
export const decidedHash = ({ subject, value }: { subject: Buffer; value: Buffer }): Buffer =>
  createHash("sha256").update("fact").update(subject).update(value).digest();
