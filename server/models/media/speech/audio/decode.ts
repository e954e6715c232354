/**
 * Decodes a recording to 16,000 samples a second of one channel. The bytes are untrusted: the first ones determine the format, and a file
 * that declares more than the limit is refused before it is decoded.
 */
import { setImmediate as turn } from "node:timers/promises";
import { AudioProblem } from "./audio-problem.ts";
import { decodeMp3 } from "./mp3.ts";
import { decodeOggOpus } from "./opus.ts";
import { Resampler } from "./resampler.ts";
import { type AudioBlock, SAMPLE_RATE } from "./samples.ts";
import { decodeWav } from "./wav.ts";

const [LOWEST_RATE, HIGHEST_RATE] = [4000, 384_000];

/**
 * @param signal checked between pieces
 * @throws AudioProblem; the signal's reason
 */
export async function decodeAudio(file: Buffer, maxSeconds: number, signal: AbortSignal): Promise<Float32Array> {
  const most = Math.ceil(maxSeconds * SAMPLE_RATE);
  const kept: Float32Array[] = [];
  let length = 0;
  let resampler: Resampler | null = null;
  const keep = (samples: Float32Array) => {
    kept.push(samples);
    length += samples.length;
    if (length > most) throw new AudioProblem("too-long");
  };
  for await (const { samples, rate } of decoderOf(file)) {
    if (rate < LOWEST_RATE || rate > HIGHEST_RATE) throw new AudioProblem("damaged");
    if (resampler?.from !== rate) {
      if (resampler !== null) keep(resampler.end());
      resampler = new Resampler(rate, SAMPLE_RATE);
    }
    keep(resampler.push(samples));
    // Yields to the event loop, so that heartbeats are sent and a cancellation is received.
    await turn();
    signal.throwIfAborted();
  }
  if (resampler !== null) keep(resampler.end());
  if (length === 0) throw new AudioProblem("damaged");
  return joined(kept, length);
}

function decoderOf(file: Buffer): AsyncIterable<AudioBlock> | Iterable<AudioBlock> {
  const begins = (at: number, text: string) => file.toString("latin1", at, at + text.length) === text;
  if (begins(0, "OggS")) return decodeOggOpus(file);
  if (begins(0, "RIFF") && begins(8, "WAVE")) return decodeWav(file);
  if (begins(4, "ftyp")) throw new AudioProblem("aac");
  // An ADTS frame of AAC begins with the same eleven bits as MPEG audio, but with layer 0.
  if (file[0] === 0xff && (file[1]! & 0xf6) === 0xf0) throw new AudioProblem("aac");
  if (begins(0, "ID3") || (file[0] === 0xff && (file[1]! & 0xe0) === 0xe0)) return decodeMp3(file);
  throw new AudioProblem("unknown-format");
}

function joined(pieces: readonly Float32Array[], length: number): Float32Array {
  const all = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
