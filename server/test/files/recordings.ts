/** Recordings and pictures for tests: sound of a given length, and spoken Russian where the machine can make it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A WAV of so many seconds, 16 bits, one channel: silence. */
export function wavOf(seconds: number, rate = 8_000): Buffer {
  const sound = Math.round(seconds * rate) * 2;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + sound, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(sound, 40);
  return Buffer.concat([head, Buffer.alloc(sound)]);
}

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
