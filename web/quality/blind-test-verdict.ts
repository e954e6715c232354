/** Guessing is right half of the time, and 16 % of guessers are right in at least seven of ten. */
export function verdictOf({ right, total }: { right: number; total: number }): string {
  const share = right / total;
  if (share <= 0.6) return "Это почти как при угадывании: по этим ответам вас и двойника не различить.";
  if (share <= 0.8) return "Двойник похож, но вы себя чаще узнаёте.";
  return "Себя вы узнаёте почти всегда: двойнику есть чему учиться.";
}
