/**
 * Order of organisations' jobs: a virtual clock (Zhang, 1990) for each organisation and kind of job. A job's place is the moment at which
 * it would be due if its organisation added one job per turn. An organisation that adds a hundred jobs at once takes the next hundred
 * turns, and another organisation's job runs before all but the first of them (docs/decisions/009-process-roles-and-job-scheduling.md).
 */
import { LRUCache } from "lru-cache";
import { JOB_RULES, type JobName, type JobRule } from "./catalogue.ts";

/** Epoch of priorities, which count seconds and must fit into 32 bits. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
/** Default duration of a turn in seconds, for jobs that take a second or two. */
const TURN_SECONDS = 1;
/** Maximum number of turns by which an organisation falls behind, however many jobs it has added. */
const LONGEST_LEAD = 100;
/** Maximum number of remembered clocks and places; a job beyond it runs by its time of arrival. */
const CLOCKS = 10_000;
const PLACES = 20_000;

interface Arrival {
  organizationId: string;
  key: string;
  /** The earliest time of the run, in milliseconds since 1970. */
  due: number;
}

export class JobPriorities {
  /** Virtual time of each organisation's next job of a kind, in milliseconds since 1970. */
  readonly #clocks = new LRUCache<string, number>({ max: CLOCKS });
  readonly #places = new LRUCache<string, number>({ max: PLACES });

  /** Returns the job's priority; pg-boss runs the highest first. The same job added again before its turn keeps its place. */
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
