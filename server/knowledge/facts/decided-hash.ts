import { createHash } from "node:crypto";

/** Identifies a fact that the owner has decided on after its text is deleted; stored among the hashes of `declined_replies`. */
export const decidedHash = ({ subject, value }: { subject: Buffer; value: Buffer }): Buffer =>
  createHash("sha256").update("fact").update(subject).update(value).digest();
