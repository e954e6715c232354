/** Splits an Ogg container (RFC 3533) into packets. It never trusts a declared length beyond the bytes that exist. */
import { AudioProblem } from "./audio-problem.ts";

const HEAD_BYTES = 27;
/** RFC 6716: 120 ms of six streams; a larger packet is not speech. */
const MAX_PACKET_BYTES = 64 * 1024;

interface Packet {
  bytes: Buffer;
  /** Whether a new logical stream begins with this packet. */
  first: boolean;
}

/** Skips bytes between pages and drops a packet that is cut off at the end. @throws AudioProblem */
export function* packetsOf(file: Buffer): Generator<Packet, void, void> {
  let begun: Buffer[] = [];
  let length = 0;
  let first = false;
  let pages = 0;
  for (let at = file.indexOf("OggS"); at !== -1 && at + HEAD_BYTES <= file.length; ) {
    const flags = file[at + 5]!;
    const table = file.subarray(at + HEAD_BYTES, at + HEAD_BYTES + file[at + 26]!);
    if (file[at + 4] !== 0) throw new AudioProblem("damaged");
    pages++;
    const continues = (flags & 1) !== 0;
    if ((flags & 2) !== 0) first = true;
    if (!continues) {
      begun = [];
      length = 0;
    }
    let from = at + HEAD_BYTES + table.length;
    // Rest of a packet whose beginning was lost.
    let lost = continues && length === 0;
    for (const size of table) {
      const part = file.subarray(from, from + size);
      if (part.length < size) return;
      from += size;
      begun.push(part);
      length += size;
      if (length > MAX_PACKET_BYTES) throw new AudioProblem("damaged");
      if (size === 255) continue;
      if (!lost && length > 0) {
        yield { bytes: begun.length === 1 ? begun[0]! : Buffer.concat(begun), first };
        first = false;
      }
      lost = false;
      begun = [];
      length = 0;
    }
    at = file.indexOf("OggS", from);
  }
  if (pages === 0) throw new AudioProblem("damaged");
}
