/**
 * The order in which organisations' jobs run: a virtual clock (Zhang, 1990) for each organisation and kind of job. A job's place is the
 * moment at which it would be due if its organisation added one job a turn. An organisation that adds a hundred at once takes the next
 * hundred turns, and another organisation's job runs before all but the first of them (docs/decisions/009-process-roles-and-job-scheduling.md).
 */
import { LRUCache } from "lru-cache";
import { JOB_RULES, type JobName, type JobRule } from "./catalogue.ts";

/** Priorities count seconds from here, so that they fit into 32 bits. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
/** Seconds of a turn where the rule says nothing: jobs that are over within a second or two. */
const TURN_SECONDS = 1;
/** No organisation falls behind by more turns, however many jobs it has added. */
const LONGEST_LEAD = 100;
/** Clocks and places beyond these numbers are forgotten, and such a job runs by its time of arrival. */
const CLOCKS = 10_000;
const PLACES = 20_000;

interface Arrival {
  organizationId: string;
  /** `JobRule.key` of the job. */
  key: string;
  /** Milliseconds since 1970: when it may run. */
  due: number;
}

export class FairOrder {
  /** Where each organisation's next job of a kind stands, in milliseconds since 1970. */
  readonly #clocks = new LRUCache<string, number>({ max: CLOCKS });
  readonly #places = new LRUCache<string, number>({ max: PLACES });

  /** pg-boss runs the highest priority first. The same job added again before its turn keeps its place. */
  priorityOf(name: JobName, { organizationId, key, due }: Arrival): number {
    const job = `${name} ${key}`;
    const kept = this.#places.get(job);
    if (kept !== undefined && kept >= due) return priorityAt(kept);
    const rule: JobRule = JOB_RULES[name];
    const turn = (rule.turnSeconds ?? TURN_SECONDS) * 1000;
    const clock = `${name} ${organizationId}`;
    const place = Math.min(Math.max(due, this.#clocks.get(clock) ?? due), due + LONGEST_LEAD * turn);
    this.#clocks.set(clock, place + turn);
    this.#places.set(job, place);
    return priorityAt(place);
  }
}

const priorityAt = (place: number): number => -Math.floor((place - EPOCH_MS) / 1000);
