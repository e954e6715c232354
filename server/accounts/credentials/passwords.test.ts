import { beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_COST, hashPassword, PASSWORD_COST, verifyPassword } from "./passwords.ts";

// Earlier tests in this process may have lowered the cost.
beforeAll(() => Object.assign(PASSWORD_COST, DEFAULT_COST));

/** CPU milliseconds of the whole process, which other load on the machine does not affect. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("a password", () => {
  test("is stored as argon2id with 19 MiB and 2 passes, with a new salt each time", async () => {
    const [first, second] = await Promise.all([hashPassword("длинный пароль"), hashPassword("длинный пароль")]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
  });

  test("matches its own hash only", async () => {
    const stored = await hashPassword("длинный пароль");
    expect(await verifyPassword("длинный пароль", stored)).toBe(true);
    expect(await verifyPassword("Длинный пароль", stored)).toBe(false);
    expect(await verifyPassword("", stored)).toBe(false);
  });

  test("matches however the keyboard composes its letters", async () => {
    const stored = await hashPassword("\u0439од и ёлка");
    expect(await verifyPassword("\u0438\u0306од и \u0435\u0308лка", stored)).toBe(true);
  });

  test("matches a hash that another implementation made with other costs", async () => {
    // A hash of «password» with the salt «somesalt» and other costs than ours, as after a change of our costs.
    const stored = "$argon2id$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$GpZ3sK/oH9p7VIiV56G/64Zo/8GaUw434IimaPqxwCo";
    expect(await verifyPassword("password", stored)).toBe(true);
    expect(await verifyPassword("Password", stored)).toBe(false);
  });

  test("of an unknown account costs the same work as that of a known one", async () => {
    const stored = await hashPassword("пароль");
    await verifyPassword("пароль", null);
    const known = await cpuOf(() => verifyPassword("другой", stored));
    const unknown = await cpuOf(() => verifyPassword("другой", null));
    expect(unknown).toBeGreaterThan(known * 0.4);
    expect(await verifyPassword("пароль", null)).toBe(false);
  });

  test("waits its turn among many, and is refused when the queue is too long", async () => {
    const results = await Promise.allSettled(Array.from({ length: 120 }, () => verifyPassword("пароль", null)));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(120 - 102);
    expect(refused[0]!.reason).toMatchObject({ status: 503, code: "sign_in_busy" });
    expect(await verifyPassword("пароль", null)).toBe(false);
  });
});
