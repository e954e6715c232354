/** A backup or a restore that cannot be done for a reason outside the program; the message is a Russian sentence for the operator. */
export class BackupError extends Error {}
