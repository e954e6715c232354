import pg from "pg";

/**
 * A client for a transaction pool, where each transaction may use another session of PostgreSQL. It sends statements without names, because
 * prepared statements belong to one session (docs/decisions/006-database-connections-and-embedded-engine.md).
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

/** Removes the name but keeps the extended protocol that it implies, which accepts only one statement. */
function withoutName(config: Named): object {
  const unnamed = { name: undefined, queryMode: "extended" };
  // The caller reads the result from its own Query object, so that object is changed in place.
  return config instanceof pg.Query ? Object.assign(config, unnamed) : { ...config, ...unnamed };
}
