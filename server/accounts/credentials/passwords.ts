/** Argon2id (RFC 9106), stored as PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { unavailable } from "#server/platform/errors.ts";

interface Cost {
  /** Memory of one hash in KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP's minimum for argon2id. */
export const DEFAULT_COST: Readonly<Cost> = { memory: 19 * 1024, passes: 2, parallelism: 1 };
/** Cost of new hashes. Tests of other subjects lower it, because each sign-in otherwise takes 30 ms of a core. */
export const PASSWORD_COST: Cost = { ...DEFAULT_COST };
const HASH_BYTES = 32;
const DUMMY_SALT = randomBytes(16);

/** @throws Problem 503 when too many sign-ins are waiting already */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PASSWORD_COST, HASH_BYTES);
  return `$argon2id$v=19$m=${PASSWORD_COST.memory},t=${PASSWORD_COST.passes},p=${PASSWORD_COST.parallelism}$${base64(salt)}$${base64(hash)}`;
}

/**
 * Checks a password. `stored` is null for an unknown account or one without a password. The result is then false after the same work, so
 * that the duration reveals nothing.
 * @throws Problem 503 when too many sign-ins are waiting already
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (stored === null) {
    await derive(password, DUMMY_SALT, PASSWORD_COST, HASH_BYTES);
    return false;
  }
  const { cost, salt, hash } = parsePhc(stored);
  return timingSafeEqual(await derive(password, salt, cost, hash.length), hash);
}

function parsePhc(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (match === null) throw new Error("A stored password hash is not an argon2id PHC string");
  const [, memory, passes, parallelism, salt, hash] = match;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt!, "base64"),
    hash: Buffer.from(hash!, "base64"),
  };
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/={1,2}$/, "");

// Each hash takes 19 MiB and a thread that files and DNS need too. Two run at once, and a queue of several seconds is refused.
const AT_ONCE = 2;
const MAX_WAITING = 100;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw unavailable("sign_in_busy", "Слишком много входов одновременно. Повторите через несколько секунд.", {
        retryAfter: 5,
      });
    }
    // The slot passes directly to the next in the queue, so that a new request cannot take it in between.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await argon2id(password, salt, cost, length);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

function argon2id(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards and operating systems encode composed letters differently (NIST SP 800-63B, 3.1.1.2).
    const message = Buffer.from(password.normalize("NFKC"));
    argon2("argon2id", { message, nonce: salt, tagLength: length, ...cost }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
