/** Parses letters in a worker thread, because a letter is up to a megabyte of untrusted data. */
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import type { TrustedServers } from "../authentication/sender-authenticity.ts";
import { inboundOf, type RawLetter, sentByOwner } from "../letter.ts";

export interface LetterTask {
  kind: "incoming" | "outgoing";
  letter: RawLetter;
  /** The mailbox's address, in lower case. */
  own: string;
  /** The servers whose results on a letter's sender count. */
  trusted: TrustedServers;
}

export default async function readLetter({ kind, letter, own, trusted }: LetterTask): Promise<Inbound[]> {
  const { buffer, byteOffset, length } = letter.source;
  // A Buffer arrives in a thread as a plain Uint8Array.
  const whole = { ...letter, source: Buffer.from(buffer, byteOffset, length) };
  if (kind === "outgoing") return sentByOwner(whole, own);
  const inbound = await inboundOf(whole, own, trusted);
  return inbound === null ? [] : [inbound];
}
