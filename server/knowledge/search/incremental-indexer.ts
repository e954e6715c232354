import { and, eq, max } from "drizzle-orm";
import { outsideTransactions } from "#server/platform/db/connection-guard.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { fullSegment } from "./segments/index-plan.ts";
import { ConcurrentlyIndexed, RangeBuild } from "./segments/range-build.ts";

const KINDS = ["message", "example"] as const;
type ImportedKind = (typeof KINDS)[number];

/** Exceeds a full segment, because rows are announced shortly before they are committed. */
const ENOUGH = fullSegment + 5000;

interface Lane {
  build: RangeBuild;
  /** Rows after the last segment; some may have nothing to index. */
  waiting: number;
}

/** Indexes an import's rows while it runs: only whole segments, which are never rebuilt. The following training indexes the rest. */
export class IncrementalIndexer {
  readonly #lanes: Record<ImportedKind, Lane>;
  #ended = false;
  #building: Promise<void> | null = null;

  private constructor(lanes: Record<ImportedKind, Lane>) {
    this.#lanes = lanes;
  }

  static async open(db: Database, tenant: Tenant, twinId: string, signal: AbortSignal): Promise<IncrementalIndexer> {
    const laneOf = async (kind: ImportedKind): Promise<[ImportedKind, Lane]> => {
      const [indexed] = await asTenant(db, tenant, (tx) =>
        tx
          .select({ last: max(indexSegments.lastId) })
          .from(indexSegments)
          .where(and(eq(indexSegments.twinId, twinId), eq(indexSegments.kind, kind))),
      );
      const from = (indexed?.last ?? 0) + 1;
      const range = { from, to: Number.MAX_SAFE_INTEGER, units: 0, replaces: [], replacesTo: 0 };
      return [kind, { build: new RangeBuild(db, tenant, twinId, kind, range, signal), waiting: 0 }];
    };
    const lanes = await Promise.all(KINDS.map(laneOf));
    return new IncrementalIndexer(Object.fromEntries(lanes) as Record<ImportedKind, Lane>);
  }

  /** Reports rows that are stored or about to be committed. */
  stored(kind: ImportedKind, rows: number): void {
    this.#lanes[kind].waiting += rows;
    if (this.#building !== null || this.#next() === undefined) return;
    // Called inside the transaction that stores rows, so building must use its own transactions.
    this.#building = outsideTransactions(() => this.#run());
    // Prevents an unhandled rejection; `end` reports the failure.
    this.#building.catch(() => {});
  }

  /** Waits for the running segment and starts no other. @throws the error of the building */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#building;
  }

  #next(): Lane | undefined {
    if (this.#ended) return undefined;
    return Object.values(this.#lanes).find(({ waiting }) => waiting >= ENOUGH);
  }

  async #run(): Promise<void> {
    try {
      for (let lane = this.#next(); lane !== undefined; lane = this.#next()) {
        const { waiting } = lane;
        const tooFew = await lane.build.buildWhole();
        lane.waiting += (tooFew ?? Math.max(0, waiting - fullSegment)) - waiting;
      }
      this.#building = null;
    } catch (error) {
      // A training indexes the same rows and may finish them, so this indexing ends without an error.
      if (!(error instanceof ConcurrentlyIndexed)) throw error;
      this.#ended = true;
    }
  }
}
