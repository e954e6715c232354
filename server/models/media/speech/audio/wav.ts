import { AudioProblem } from "./audio-problem.ts";
import type { AudioBlock } from "./samples.ts";

interface Format {
  rate: number;
  channels: number;
  bits: number;
  float: boolean;
}

const PCM = 1;
const FLOAT = 3;
/** WAVE_FORMAT_EXTENSIBLE: the first two bytes of the sub-format hold the real format. */
const EXTENSIBLE = 0xfffe;
const MAX_CHANNELS = 8;
/** Frames that are converted at once. */
const STEP = 16_384;

/** @throws AudioProblem */
export function* decodeWav(bytes: Buffer): Generator<AudioBlock, void, void> {
  let format: Format | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    // An interrupted recorder leaves 0 or 0xffffffff as the size: the existing bytes count.
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (name === "fmt ") format = formatOf(body);
    else if (name === "data") {
      if (format === null) throw new AudioProblem("damaged");
      yield* samplesOf(size === 0 ? bytes.subarray(at + 8) : body, format);
      return;
    }
    at += 8 + size + (size % 2);
  }
  throw new AudioProblem("damaged");
}

function formatOf(body: Buffer): Format {
  if (body.length < 16) throw new AudioProblem("damaged");
  let tag = body.readUInt16LE(0);
  if (tag === EXTENSIBLE && body.length >= 26) tag = body.readUInt16LE(24);
  if (tag !== PCM && tag !== FLOAT) throw new AudioProblem("unknown-format");
  const format = {
    channels: body.readUInt16LE(2),
    rate: body.readUInt32LE(4),
    bits: body.readUInt16LE(14),
    float: tag === FLOAT,
  };
  const known = format.float ? format.bits === 32 : [8, 16, 24, 32].includes(format.bits);
  if (!known) throw new AudioProblem("unknown-format");
  if (format.channels < 1 || format.channels > MAX_CHANNELS) throw new AudioProblem("damaged");
  return format;
}

function* samplesOf(data: Buffer, { rate, channels, bits, float }: Format): Generator<AudioBlock, void, void> {
  const width = bits / 8;
  const frames = Math.floor(data.length / (width * channels));
  const read = readerOf(data, bits, float);
  for (let from = 0; from < frames; from += STEP) {
    const samples = new Float32Array(Math.min(STEP, frames - from));
    for (let frame = 0; frame < samples.length; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += read(((from + frame) * channels + channel) * width);
      samples[frame] = sum / channels;
    }
    yield { samples, rate };
  }
}

function readerOf(data: Buffer, bits: number, float: boolean): (at: number) => number {
  if (float) {
    return (at) => {
      const value = data.readFloatLE(at);
      return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
    };
  }
  if (bits === 8) return (at) => (data.readUInt8(at) - 128) / 128;
  const scale = 2 ** (bits - 1);
  return (at) => data.readIntLE(at, bits / 8) / scale;
}
