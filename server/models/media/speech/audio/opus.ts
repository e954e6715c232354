/** Opus in Ogg, the format of messengers' voice messages (RFC 7845), decoded by libopus in WebAssembly. */
import { OpusDecoder } from "opus-decoder";
import { AudioProblem } from "./audio-problem.ts";
import { packetsOf } from "./ogg.ts";
import { type AudioBlock, mixToMono } from "./samples.ts";

const RATE = 16_000;
/** Packets decoded at once: a second of speech in most files, six at most. */
const AT_ONCE = 50;

/** @throws AudioProblem */
export async function* decodeOggOpus(file: Buffer): AsyncGenerator<AudioBlock, void, void> {
  let decoder: OpusDecoder<typeof RATE> | null = null;
  let waiting: Buffer[] = [];
  let damaged = 0;
  let decoded = 0;
  const take = function* (): Generator<AudioBlock, void, void> {
    if (decoder === null || waiting.length === 0) return;
    const { channelData, samplesDecoded, errors } = decoder.decodeFrames(waiting);
    damaged += errors.length;
    decoded += waiting.length - errors.length;
    waiting = [];
    if (samplesDecoded > 0) yield { samples: mixToMono(channelData, samplesDecoded), rate: RATE };
  };
  /** Number of the packet in its stream: the first two are headers. */
  let number = 0;
  try {
    for (const { bytes, first } of packetsOf(file)) {
      if (first) {
        yield* take();
        decoder?.free();
        decoder = await decoderFor(bytes);
        number = 0;
      } else if (decoder === null) throw new AudioProblem("damaged");
      if (number++ < 2) continue;
      waiting.push(bytes);
      if (waiting.length >= AT_ONCE) yield* take();
    }
    yield* take();
    // Arbitrary bytes in a valid container decode to noise, which must not occupy the recogniser.
    if (decoder === null || damaged > decoded) throw new AudioProblem("damaged");
  } finally {
    decoder?.free();
  }
}

async function decoderFor(head: Buffer): Promise<OpusDecoder<typeof RATE>> {
  if (head.toString("latin1", 0, 8) !== "OpusHead") throw new AudioProblem("unknown-format");
  if (head.length < 19) throw new AudioProblem("damaged");
  const channels = head[9]!;
  // Other channel mapping families are for surround sound.
  if (head[18] !== 0 || channels < 1 || channels > 2) throw new AudioProblem("unknown-format");
  const preSkip = Math.round((Math.min(head.readUInt16LE(10), 48_000) * RATE) / 48_000);
  const decoder = new OpusDecoder({
    sampleRate: RATE,
    channels,
    streamCount: 1,
    coupledStreamCount: channels - 1,
    preSkip,
  });
  await decoder.ready;
  return decoder;
}
