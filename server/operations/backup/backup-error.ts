/** A backup or a restore that cannot be done for a reason outside the program; the message is a Russian sentence for the operator. */
export class BackupError extends Error {}

/** Another process makes a backup of the same database; the command ends with `UNDER_WAY`, and nothing has failed. */
export class BackupUnderWay extends BackupError {
  override message = "Другая копия уже создаётся: дождитесь её.";
}
export const UNDER_WAY = 75;
