/** The share of characters that are wrong, missing or too many, without regard to how spaces and lines fall. */
export function errorRate(read: string, meant: string): number {
  const [one, other] = [plain(read), plain(meant)];
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const changed = before[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1);
      now.push(Math.min(changed, before[at]! + 1, now[at - 1]! + 1));
    }
    before = now;
  }
  return before[other.length]! / other.length;
}

const plain = (text: string) => [...text.replaceAll(/\s+/g, " ").trim()];
