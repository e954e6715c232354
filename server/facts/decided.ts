import { createHash } from "node:crypto";

/** By which a fact that its owner has decided on is known when its words are gone; among the hashes of `declined_replies`. */
export const decidedHash = ({ subject, value }: { subject: Buffer; value: Buffer }): Buffer =>
  createHash("sha256").update("fact").update(subject).update(value).digest();
