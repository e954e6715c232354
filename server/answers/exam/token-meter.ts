/** Adds up the tokens of an exam's calls between two looks. */
export function tokenMeter() {
  let tokens = 0;
  return {
    count: (spent: number): void => {
      tokens += spent;
    },
    take: (): number => {
      const taken = tokens;
      tokens = 0;
      return taken;
    },
  };
}
