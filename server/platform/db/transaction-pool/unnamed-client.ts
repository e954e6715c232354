import pg from "pg";

/**
 * A connection to a transaction pool, behind which the next transaction may meet another session of PostgreSQL: statements go without the
 * names under which one session would remember them (docs/decisions/006-database-connections-and-embedded-engine.md).
 */
export class UnnamedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [config, ...rest] = args;
    return super.query(...([isNamed(config) ? withoutName(config) : config, ...rest] as [never])) as never;
  }
}

type Named = { name: string } & object;

const isNamed = (config: unknown): config is Named =>
  typeof config === "object" && config !== null && "name" in config && config.name !== undefined;

/** A name brings the extended protocol with it, which accepts one statement only: that stays. */
function withoutName(config: Named): object {
  const unnamed = { name: undefined, queryMode: "extended" };
  // A query that its caller has made is also where he reads the result.
  return config instanceof pg.Query ? Object.assign(config, unnamed) : { ...config, ...unnamed };
}
