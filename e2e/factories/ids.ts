/** The nth identifier. Who is given by two numbers of one test is two. */
export const uuid = (n: number) => `8b0e2f1c-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** When whatever has no time of its own has happened: 10:01 in Moscow. */
export const NOW = "2025-11-20T07:01:00.000Z";
