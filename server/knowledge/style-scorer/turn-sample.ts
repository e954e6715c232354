import { seededRandom } from "#server/platform/random/seeded-random.ts";

/** Same pause as in knowledge/messages/pairs/pair-turns.ts. */
const TURN_PAUSE_MS = 2 * 60_000;
/** Maximum number of turns per side; more only make learning slower. */
const MAX_TURNS = 2500;

export interface SampledTurn {
  text: string;
  /** The contact of a private chat; null in a group. */
  contactId: number | null;
}

interface OpenTurn extends SampledTurn {
  fromOwner: boolean;
  at: number | null;
}

interface Line {
  text: string;
  sentAt: Date | null;
  fromOwner: boolean;
  chatId: string | number;
  contactId: number | null;
}

/** Reservoir sampling: every turn is kept with equal probability (Vitter 1985, algorithm R). The same history gives the same sample. */
class Reservoir {
  readonly kept: SampledTurn[] = [];
  readonly #random: () => number;
  #seen = 0;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  offer(turn: SampledTurn): void {
    this.#seen++;
    if (this.kept.length < MAX_TURNS) {
      this.kept.push(turn);
      return;
    }
    const place = Math.floor(this.#random() * this.#seen);
    if (place < MAX_TURNS) this.kept[place] = turn;
  }
}

export class TurnSample {
  readonly #own = new Reservoir("own turns");
  readonly #others = new Reservoir("others' turns");
  readonly #open = new Map<string | number, OpenTurn>();

  /** Messages of one chat must be added in order; chats may interleave. */
  add({ text, sentAt, fromOwner, chatId, contactId }: Line): void {
    const time = sentAt?.getTime() ?? Number.NaN;
    const at = Number.isNaN(time) ? null : time;
    const open = this.#open.get(chatId);
    // Group messages have no known author here, so each message of others is a turn.
    const alone = !fromOwner && contactId === null;
    const goesOn =
      open?.fromOwner === fromOwner && !alone && at !== null && open.at !== null && at - open.at <= TURN_PAUSE_MS;
    if (goesOn) {
      open.text += `\n${text}`;
      open.at = at;
      return;
    }
    if (open !== undefined) this.#end(open);
    this.#open.set(chatId, { text, contactId, fromOwner, at });
  }

  turns(): { own: SampledTurn[]; others: SampledTurn[] } {
    for (const turn of this.#open.values()) this.#end(turn);
    this.#open.clear();
    return { own: this.#own.kept, others: this.#others.kept };
  }

  #end({ text, contactId, fromOwner }: OpenTurn): void {
    (fromOwner ? this.#own : this.#others).offer({ text, contactId });
  }
}
