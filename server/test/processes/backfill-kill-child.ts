/**
 * A process for killed-backfill.ts that is at the backfill of planted-rows.ts and kills itself within a batch. Arguments: data folder,
 * database address (or -), the number of the statement, from 1, after whose sending it does so,
 * and the rows of a batch.
 */
import pg from "pg";
import { openDatabase } from "#server/platform/db/database.ts";
import { runBackfill } from "#server/platform/db-upkeep/backfill.ts";
import { PLANTED } from "../planted-rows.ts";

const [dataDir = "", address, at, rowsAtOnce] = process.argv.slice(2);
const { db, close } = await openDatabase({ databaseUrl: address === "-" ? null : address!, dataDir });

type Query = (...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const { query } = client;
let sent = 0;
client.query = function (this: unknown, ...args: unknown[]) {
  const asked = query.apply(this, args);
  const [statement] = args as [string | { text: string }];
  const text = (typeof statement === "string" ? statement : statement.text).trim();
  process.stdout.write(`${text.slice(0, 40).replaceAll(/\s+/g, " ")}\n`);
  // Once the statement is on its way: the database may be at any point of it.
  if (++sent === Number(at)) setImmediate(() => process.kill(process.pid, "SIGKILL"));
  return asked;
};

await runBackfill(db, PLANTED, { rowsAtOnce: Number(rowsAtOnce) });
await close();
