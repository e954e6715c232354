/** Names a browser from its User-Agent in a few words of our own: «Chrome, Windows». The header itself is neither stored nor shown. */

/** The first match wins, because each browser's User-Agent also names those listed after it. */
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
const MAX_CHARS_READ = 500;

/** @param userAgent the header as sent; null or "" for a client without one */
export function deviceName(userAgent: string | null | undefined, browser: boolean): string {
  if (!browser) return "Приложение";
  const said = (userAgent ?? "").slice(0, MAX_CHARS_READ);
  const of = (list: readonly [string, string][]) => list.find(([mark]) => said.includes(mark))?.[1];
  return [of(BROWSERS) ?? "Неизвестный браузер", of(SYSTEMS)].filter(Boolean).join(", ");
}
