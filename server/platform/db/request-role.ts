/** The login role of requests in PostgreSQL: it has exactly the rights of `dt_request` and cannot switch to another role. */
import { createHmac, randomBytes } from "node:crypto";
import { ne } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import pg, { escapeIdentifier, escapeLiteral } from "pg";
import { UnknownMasterKey } from "#server/platform/secrets/unknown-master-key.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { sqlState } from "./failures.ts";
import { requestLogins } from "./schema/platform.ts";

/** The setting of the requests' role is wrong; the message is for the person who started the server. */
export class RequestRoleError extends Error {}

/**
 * Ensures that requests have a login role of their own, and checks that it has no excessive rights.
 * @param urls.databaseUrl connection string of the database's owner, through the transaction pool if there is one
 * @param urls.directUrl connection string of the same role that bypasses the pool
 * @param urls.requestUrl connection string of a role that the operator has created; null: it is created here, which takes CREATEROLE once
 * @param secret the master keys, the current one first, of which each server of this database has one; or a text from which the password
 *   is derived
 * @returns the connection string for requests
 * @throws RequestRoleError when the role cannot be created or could bypass row-level security
 * @throws UnknownMasterKey when its password is encrypted with other keys; it is left unchanged for the servers that have them
 */
export async function openRequestRole(
  urls: { databaseUrl: string; directUrl: string; requestUrl: string | null },
  secret: readonly Buffer[] | string,
): Promise<string> {
  const { databaseUrl, directUrl, requestUrl: given } = urls;
  const owner = new pg.Client({ connectionString: directUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query(
      "select oid, current_user as owner from pg_database where datname = current_database()",
    );
    const { oid, owner: ownerName } = rows[0] as { oid: number; owner: string };
    if (given !== null) {
      await checkLogin(given, ownerName);
      return given;
    }
    // Roles belong to the cluster: each database, and each restored copy, needs its own.
    const name = `dt_login_${oid}`;
    const password = typeof secret === "string" ? derived(secret, name) : await keptPassword(owner, name, secret);
    const asRequests = (address: string): string => {
      const url = new URL(address);
      url.username = name;
      url.password = password;
      return url.href;
    };
    try {
      await checkLogin(asRequests(directUrl), ownerName);
    } catch (error) {
      // SQLSTATE class 28: the role does not exist or has another password.
      if (!sqlState(error)?.startsWith("28")) throw error;
      await makeLogin(owner, name, password);
      await checkLogin(asRequests(directUrl), ownerName);
    }
    if (directUrl !== databaseUrl) await checkPool(asRequests(databaseUrl), name);
    return asRequests(databaseUrl);
  } finally {
    await owner.end();
  }
}

const derived = (secret: Buffer | string, login: string): string =>
  createHmac("sha256", secret).update(`${login} of requests`).digest("base64url");

/** Key of the advisory lock for creating the role or its password, so that servers that start together do it one after the other. */
const LOCK = 727_460_002;

/**
 * Returns the login's password, which is the same for all of an installation's master keys. During a change of the key, servers with the
 * former one can still open connections.
 */
async function keptPassword(owner: pg.Client, login: string, keys: readonly Buffer[]): Promise<string> {
  await owner.query("select pg_advisory_lock($1)", [LOCK]);
  try {
    const { rows } = await owner.query("select fingerprint, sealed from request_logins where login = $1", [login]);
    const sealed = new Map(
      (rows as { fingerprint: string; sealed: string }[]).map((row) => [row.fingerprint, row.sealed]),
    );
    const known = keys.find((key) => sealed.has(fingerprintOf(key)));
    if (sealed.size > 0 && known === undefined) throw new UnknownMasterKey();
    const password =
      known === undefined
        ? await firstPassword(owner, login, keys[0]!)
        : vaultOf(known).open(placeOf(login), Buffer.from(sealed.get(fingerprintOf(known))!, "base64"));
    for (const key of keys.filter((one) => !sealed.has(fingerprintOf(one)))) {
      const value = vaultOf(key).seal(placeOf(login), password).toString("base64");
      await owner.query("insert into request_logins (login, fingerprint, sealed) values ($1, $2, $3)", [
        login,
        fingerprintOf(key),
        value,
      ]);
    }
    return password;
  } finally {
    await owner.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => {});
  }
}

/** A login from a version that stored no password keeps its derived password: changing it takes a right that the owner may have lost. */
async function firstPassword(owner: pg.Client, login: string, key: Buffer): Promise<string> {
  const { rowCount } = await owner.query("select from pg_roles where rolname = $1", [login]);
  return rowCount === 0 ? randomBytes(32).toString("base64url") : derived(key, login);
}

/** Re-encrypts the password after a change of the master key, so that former keys no longer decrypt it. */
export async function resealRequestRolePassword(db: Pick<NodePgDatabase, "delete">, key: Buffer): Promise<void> {
  await db.delete(requestLogins).where(ne(requestLogins.fingerprint, fingerprintOf(key)));
}

const fingerprintOf = (key: Buffer): string =>
  createHmac("sha256", key).update("digital-twins login of requests").digest("hex").slice(0, 32);
const vaultOf = (key: Buffer) => createVault({ current: 1, keys: new Map([[1, key]]) });
const placeOf = (login: string) => ({ table: "request_logins", tenant: "platform", row: login, column: "sealed" });

async function makeLogin(owner: pg.Client, name: string, password: string): Promise<void> {
  const [role, secret] = [escapeIdentifier(name), escapeLiteral(password)];
  try {
    await owner.query("select pg_advisory_lock($1)", [LOCK]);
    const { rowCount } = await owner.query("select from pg_roles where rolname = $1", [name]);
    // PostgreSQL 15 lets only a superuser set «replication» of an existing role, so checkLogin checks that attribute instead.
    const attributes = `login inherit password ${secret}`;
    await owner.query(
      rowCount === 0 ? `create role ${role} noreplication ${attributes}` : `alter role ${role} ${attributes}`,
    );
    await owner.query(`grant dt_request to ${role}`);
  } catch (error) {
    if (sqlState(error) !== "42501") throw error;
    throw new RequestRoleError(
      `DATABASE_URL: роли не хватает права CREATEROLE, чтобы создать вход для запросов. Дайте его или создайте роль сами: ` +
        `CREATE ROLE twins_requests LOGIN PASSWORD '…' IN ROLE dt_request; — и укажите её адрес в DATABASE_REQUEST_URL.`,
      { cause: error },
    );
  } finally {
    await owner.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => {});
  }
}

/** @throws RequestRoleError when the transaction pool refuses the role */
async function checkPool(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new RequestRoleError(
      `DATABASE_URL: пул соединений не пускает роль ${name}, от имени которой работают запросы (${cause}). ` +
        "Включите в нём auth_query или создайте роль сами и укажите её в DATABASE_REQUEST_URL.",
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws RequestRoleError when the login has more rights than requests may have */
async function checkLogin(url: string, owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select rolsuper or rolbypassrls or rolcreaterole or rolreplication or rolcreatedb
          or pg_has_role(session_user, $1, 'member') or pg_has_role(session_user, 'dt_platform', 'member')
          or exists (select from pg_class where relowner = r.oid) as free,
        pg_has_role(session_user, 'dt_request', 'usage') as member
      from pg_roles r where rolname = session_user`,
      [owner],
    );
    const { free, member } = rows[0] as { free: boolean; member: boolean };
    if (free)
      throw new RequestRoleError(
        "DATABASE_REQUEST_URL: этой роли можно больше, чем запросам. Нужна роль без прав владельца базы.",
      );
    if (!member)
      throw new RequestRoleError("DATABASE_REQUEST_URL: роль не входит в dt_request (GRANT dt_request TO …).");
  } finally {
    await client.end();
  }
}
