/** A backup or restore that is impossible for a reason outside the program; the message is a Russian sentence for the operator. */
export class BackupError extends Error {}

/** Another process is backing up the same database; the command exits with `UNDER_WAY`, which is not a failure. */
export class BackupUnderWay extends BackupError {
  override message = "Другая копия уже создаётся: дождитесь её.";
}
export const UNDER_WAY = 75;
