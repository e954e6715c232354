/** Why a recording cannot be decoded. The codes quote nothing of the recording. */

export const AUDIO_PROBLEMS = ["unknown-format", "aac", "damaged", "too-long"] as const;
export type AudioProblemReason = (typeof AUDIO_PROBLEMS)[number];

export class AudioProblem extends Error {
  override name = "AudioProblem";
  readonly reason: AudioProblemReason;

  constructor(reason: AudioProblemReason) {
    super(reason);
    this.reason = reason;
  }
}
