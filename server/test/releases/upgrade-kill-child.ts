/**
 * A start that upgrades a database and is killed within it. Arguments: data folder, database address (or -), the number of the statement,
 * from 1, after whose sending it kills itself. It ends on its own when there are fewer; it prints a line for each.
 */
import pg from "pg";
import { openDatabase } from "#server/platform/db/database.ts";

const [dataDir = "", address, at] = process.argv.slice(2);
const last = Number(at);
let upgrading = false;
let sent = 0;

type Query = (...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const { query } = client;
client.query = function (this: unknown, ...args: unknown[]) {
  const asked = query.apply(this, args);
  const [statement] = args as [string | { text: string }];
  const text = typeof statement === "string" ? statement : statement.text;
  // An index that has been left pending is built before the upgrade goes on, or with no other.
  if (text.startsWith("select name, table_name")) upgrading = true;
  if (!upgrading) return asked;
  sent++;
  process.stdout.write(`${sent} ${text.trim().replace(" CONCURRENTLY", "").slice(0, 60).replaceAll(/\s+/g, " ")}\n`);
  // Once the statement is on its way: the server may be at any point of it.
  if (sent === last) setImmediate(() => process.kill(process.pid, "SIGKILL"));
  return asked;
};

const { close } = await openDatabase({
  databaseUrl: address === "-" ? null : address!,
  dataDir,
  beforeUpgrade: async () => {
    upgrading = true;
  },
});
upgrading = false;
await close();
