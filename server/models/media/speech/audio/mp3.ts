import { MPEGDecoder } from "mpg123-decoder";
import { AudioProblem } from "./audio-problem.ts";
import { type AudioBlock, mixToMono } from "./samples.ts";

/** Bytes that are decoded at once: a minute of speech at the lowest bitrate. */
const STEP = 32 * 1024;

/** @throws AudioProblem */
export async function* decodeMp3(file: Buffer): AsyncGenerator<AudioBlock, void, void> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  let heard = false;
  try {
    for (let at = 0; at < file.length; at += STEP) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(file.subarray(at, at + STEP));
      if (samplesDecoded === 0) continue;
      heard = true;
      yield { samples: mixToMono(channelData, samplesDecoded), rate: sampleRate };
    }
    if (!heard) throw new AudioProblem("damaged");
  } finally {
    decoder.free();
  }
}
