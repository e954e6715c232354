/** Why a calendar server could not be asked. `message` is a Russian sentence for the owner and has no text of the server. */
export class CalendarTrouble extends Error {
  override name = "CalendarTrouble";
  /** auth: it refuses the login. refused: it answers otherwise than a calendar. away: it does not answer. */
  readonly kind: "auth" | "refused" | "away";

  constructor(kind: CalendarTrouble["kind"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
