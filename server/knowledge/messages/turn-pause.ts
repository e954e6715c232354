/** A longer pause, in milliseconds, between two messages of one author starts a new turn: pairs, style and fidelity agree on what a reply is. */
export const TURN_PAUSE_MS = 2 * 60_000;
