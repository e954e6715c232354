import type { HubProblem } from "../files/problems.ts";

/** Problems after which received bytes are kept and a later try resumes; after any other problem the download restarts. */
export const RESUMABLE_PROBLEMS: ReadonlySet<string> = new Set<HubProblem>(["unreachable", "refused", "line"]);

/** The reason why a download failed; models/local/files/problems.ts holds the sentence for users. */
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
