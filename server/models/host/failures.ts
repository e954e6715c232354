/** Why a local model did not complete a task. A reason may be logged, because it quotes nothing of the input. */

export type FailureReason =
  | "crashed"
  /** The process sent no sign of life, or no token, for too long. */
  | "hung"
  /** The process exceeded its memory limit and was killed. */
  | "memory"
  /** The task exceeded its deadline. */
  | "late"
  /** The process returned an invalid result. */
  | "malformed"
  /** The model cannot be loaded, or the server is stopping. */
  | "unavailable"
  /** node-llama-cpp has no build for this system, or it is not installed. */
  | "missing"
  /** The process has failed repeatedly and is not restarted for a while. */
  | "resting"
  /** Too many requests are waiting already. */
  | "busy"
  /** llama.cpp refused this particular task. */
  | "refused";

export class ModelFailure extends Error {
  override name = "ModelFailure";
  readonly reason: FailureReason;
  /** Seconds after which a retry makes sense; undefined: at once. */
  readonly retryAfter: number | undefined;

  constructor(reason: FailureReason, detail = "", retryAfter?: number) {
    super(`The local model ${SENTENCES[reason]}${detail === "" ? "" : ` (${detail})`}`);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** The prompt exceeds the model's context and must be shortened. */
export class TooLong extends Error {
  override name = "TooLong";
  readonly tokens: number;
  /** Number of prompt tokens that would fit. */
  readonly room: number;

  constructor(tokens: number, room: number) {
    super(`${tokens} tokens are more than the ${room} that the model has room for`);
    this.tokens = tokens;
    this.room = room;
  }
}

const SENTENCES: Record<FailureReason, string> = {
  crashed: "ended",
  hung: "fell silent",
  memory: "took too much memory",
  late: "did not answer in time",
  malformed: "answered what is no answer",
  unavailable: "cannot be asked",
  missing: "has no program for this system",
  resting: "has failed too often and is left alone",
  busy: "is asked by too many",
  refused: "refused a task",
};
