import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { QueryConfig, QueryResult } from "pg";

/** A transaction, or the base connection when no tenant is concerned. Transactions do not nest. */
export type Tx = Pick<NodePgDatabase, "select" | "selectDistinct" | "insert" | "update" | "delete" | "execute"> & {
  $client: { query(config: QueryConfig): Promise<QueryResult> };
};
