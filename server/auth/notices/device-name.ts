/** What a browser says of itself, in a few words of ours: «Chrome, Windows». Nothing of what it sent is kept or shown. */

/** First match wins: each of these also claims to be those that follow. */
const BROWSERS: readonly [mark: string, name: string][] = [
  ["YaBrowser/", "Яндекс Браузер"],
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Opera", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Vivaldi/", "Vivaldi"],
  ["FxiOS/", "Firefox"],
  ["Firefox/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS: readonly [mark: string, name: string][] = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Macintosh", "macOS"],
  ["Linux", "Linux"],
];
const MOST_READ = 500;

/** @param userAgent as sent; null or "" for a client that says nothing */
export function deviceName(userAgent: string | null | undefined, browser: boolean): string {
  if (!browser) return "Программа";
  const said = (userAgent ?? "").slice(0, MOST_READ);
  const of = (list: readonly [string, string][]) => list.find(([mark]) => said.includes(mark))?.[1];
  return [of(BROWSERS) ?? "Неизвестный браузер", of(SYSTEMS)].filter(Boolean).join(", ");
}
