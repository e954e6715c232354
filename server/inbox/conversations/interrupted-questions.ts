import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";

/**
 * Marks the questions of test chats that a former process was answering as interrupted. No other process can have the embedded database
 * open, so its end need not be concluded from its silence.
 */
export async function markInterruptedQuestions(db: Database): Promise<void> {
  await db.execute(sql`update conversations set asked_until = now() where asked_until > now()`);
}
