/** Samples of one channel, −1 to 1. */
export interface AudioBlock {
  samples: Float32Array;
  rate: number;
}

/** Samples per second, for every recogniser. */
export const SAMPLE_RATE = 16_000;

/** Returns the mean of the channels, over the first `length` samples. */
export function mixToMono(channels: readonly Float32Array[], length: number): Float32Array {
  if (channels.length === 1) return channels[0]!.subarray(0, length);
  const mean = new Float32Array(length);
  for (const channel of channels) for (let at = 0; at < length; at++) mean[at]! += channel[at]! / channels.length;
  return mean;
}
