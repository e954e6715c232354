/** Returns black or white, whichever has the higher contrast on the colour (WCAG 2.2, relative luminance). */
export function readableTextColor(color: string): "#000" | "#fff" {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  // Both contrasts are equal where (l + .05)² = 1.05 · .05.
  return luminance > 0.179 ? "#000" : "#fff";
}
