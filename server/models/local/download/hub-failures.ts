import type { HubProblem } from "../files/problems.ts";

/** Problems after which the arrived bytes are kept and a later try continues; after any other it starts again. */
export const RESUMABLE_PROBLEMS: ReadonlySet<string> = new Set<HubProblem>(["unreachable", "refused", "line"]);

/** Why a file could not be downloaded; its sentence is in models/local/files/problems.ts. */
export class HubFailure extends Error {
  override name = "HubFailure";
  readonly problem: HubProblem;

  constructor(problem: HubProblem, options: ErrorOptions = {}) {
    super(`The hub: ${problem}`, options);
    this.problem = problem;
  }

  /** Whether the download is retried automatically: the connection failed, not the file. */
  get passes(): boolean {
    return this.problem === "line" || this.problem === "unreachable";
  }
}
