/** Cuts a recording into pieces that a recogniser hears at once, where it is quietest, and leaves out silence. */
import { SAMPLE_RATE } from "./samples.ts";

interface Window {
  /** Samples from the beginning. */
  from: number;
  to: number;
}

const FRAME = SAMPLE_RATE / 50;
/** Speech models are trained on less than half a minute. */
const LONGEST = 20 * SAMPLE_RATE;
/** Not cut before. */
const EARLIEST = 10 * SAMPLE_RATE;
/** Frames of the quiet place: a fifth of a second. */
const QUIET = 10;
/** Loudness below which nothing is said: −54 dB of the fullest sound. */
const SILENCE = 0.002;
/** Frames that have to be louder, or a click would count as speech. */
const SPOKEN = 5;

/** In order, without gaps but for those where nothing is heard. */
export function windowsOf(samples: Float32Array): Window[] {
  const loud = loudness(samples);
  const windows: Window[] = [];
  for (let from = 0; from < samples.length; ) {
    const to = samples.length - from <= LONGEST ? samples.length : quietest(loud, from + EARLIEST, from + LONGEST);
    if (isSpoken(loud, from, to)) windows.push({ from, to });
    from = to;
  }
  return windows;
}

/** Root mean square of each frame. */
function loudness(samples: Float32Array): Float32Array {
  const loud = new Float32Array(Math.ceil(samples.length / FRAME));
  for (let frame = 0; frame < loud.length; frame++) {
    const end = Math.min(samples.length, (frame + 1) * FRAME);
    let sum = 0;
    for (let at = frame * FRAME; at < end; at++) sum += samples[at]! * samples[at]!;
    loud[frame] = Math.sqrt(sum / (end - frame * FRAME));
  }
  return loud;
}

function quietest(loud: Float32Array, from: number, to: number): number {
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let frame = Math.ceil(from / FRAME); (frame + QUIET) * FRAME <= to; frame++) {
    let sum = 0;
    for (let at = frame; at < frame + QUIET; at++) sum += loud[at]!;
    // Of equally quiet places the later one: fewer pieces.
    if (sum > least) continue;
    least = sum;
    best = (frame + QUIET / 2) * FRAME;
  }
  return best;
}

function isSpoken(loud: Float32Array, from: number, to: number): boolean {
  let spoken = 0;
  for (let frame = Math.floor(from / FRAME); frame * FRAME < to; frame++)
    if (loud[frame]! > SILENCE && ++spoken >= SPOKEN) return true;
  return false;
}
