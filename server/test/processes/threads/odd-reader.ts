/** A reader that misbehaves as instructed, for the test of the threads. */
export default function read(deed: "length" | "forever" | "hoard" | "refuse"): number {
  if (deed === "refuse") throw new Error("not a letter");
  const kept: number[][] = [];
  while (deed !== "length") if (deed === "hoard") kept.push(new Array<number>(1_000_000).fill(0.5));
  return deed.length;
}
