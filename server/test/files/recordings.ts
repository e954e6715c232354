/** Recordings and pictures for tests: sound of a given length, and spoken Russian where the machine can make it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wavOf } from "#server/models/media/wav.ts";

/** A WAV of so many seconds of silence. */
export const silentWav = (seconds: number, rate = 8_000): Buffer =>
  wavOf(Buffer.alloc(Math.round(seconds * rate) * 2), rate);

const programOf = (name: string): string | null => {
  const path = `/usr/bin/${name}`;
  return existsSync(path) ? path : null;
};

/** Why a test with spoken words is skipped; null: it is not. */
export const NO_SPEECH = ["espeak-ng", "opusenc"].some((name) => programOf(name) === null)
  ? "Debian's espeak-ng and opus-tools are not installed"
  : null;

/** Spoken Russian, as a WAV and as the Opus that messengers send. */
export function speech(words: string): { wav: Buffer; ogg: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "dt-speech-"));
  try {
    const [wav, ogg] = [join(folder, "a.wav"), join(folder, "a.ogg")];
    execFileSync("/usr/bin/espeak-ng", ["-v", "ru", "-w", wav, words]);
    execFileSync("/usr/bin/opusenc", ["--quiet", "--bitrate", "16", wav, ogg]);
    return { wav: readFileSync(wav), ogg: readFileSync(ogg) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
