/** What the exams of the models that all organisations share let them do, for every process of a server. */
import type { ModelAbility } from "#contract/models/remote-model.ts";
import type { Database } from "#server/platform/db/database.ts";
import { modelExams } from "#server/platform/db/schema/exams.ts";

/** Milliseconds for which the results are cached. */
const READ_MS = 3000;

export class SharedAbilities {
  readonly #db: Database;
  #abilities = new Map<string, ModelAbility>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call it outside any transaction, before an answer is planned. */
  async freshen(): Promise<void> {
    if (performance.now() - this.#readAt < READ_MS) return;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const rows = await this.#db.select({ subject: modelExams.subject, exam: modelExams.exam }).from(modelExams);
    this.#abilities = new Map(rows.flatMap(({ subject, exam }) => (exam === null ? [] : [[subject, exam.ability]])));
    this.#readAt = performance.now();
  }

  /** @param subject see `modelExams.subject`. @returns undefined for a model without an exam */
  of(subject: string): ModelAbility | undefined {
    return this.#abilities.get(subject);
  }
}

/** The subject of the exam of a model that the server's settings name: its address and name, or its file. */
export const settledSubject = (place: string, model: string): string => `settings ${place} ${model}`;
