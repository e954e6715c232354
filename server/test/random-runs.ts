/**
 * How often a property is tried: each push with a quarter of the inputs, which are other ones every time, and all of them with
 * `npm run test:full`.
 */
export const randomRuns = (full: number): number => (process.env.TEST_FULL === "1" ? full : Math.ceil(full / 4));
