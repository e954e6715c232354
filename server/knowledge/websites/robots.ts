/** Parses robots.txt by RFC 9309: which addresses may be read, and which sitemaps exist. */

/** The user agent by which a site may address this reader. */
export const ROBOT = "DigitalTwinsReader";
/** Only this many bytes are parsed; RFC 9309 requires at least 500 KiB. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
const MAX_RULES = 5000;
const MAX_PATTERN = 2000;

interface Rule {
  allows: boolean;
  /** Percent-encoded as by `comparable`; `*` matches anything, a final `$` the end. */
  pattern: string;
}

export interface Robots {
  /** @param path including the query, as in a URL */
  allows(path: string): boolean;
  sitemaps: readonly string[];
}

export const EVERYTHING_ALLOWED: Robots = { allows: () => true, sitemaps: [] };

/** Returns the rules of all groups that name this reader; without any, of the groups for `*`. */
export function parseRobots(text: string, robot = ROBOT): Robots {
  const own: Rule[] = [];
  const common: Rule[] = [];
  const sitemaps: string[] = [];
  let named = false;
  let names: string[] = [];
  // The names of a group are consecutive; the first rule ends them.
  let naming = false;
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const key = line.slice(0, colon).trim().toLowerCase();
    const [value = ""] = line.slice(colon + 1).split("#", 1);
    const said = value.trim();
    if (key === "sitemap") {
      if (sitemaps.length < 10) sitemaps.push(said);
    } else if (key === "user-agent") {
      if (!naming) names = [];
      naming = true;
      const name = /^[a-z_-]+|^\*/i.exec(said)?.[0].toLowerCase() ?? "";
      names.push(name);
      if (name === robot.toLowerCase()) named = true;
    } else if (key === "allow" || key === "disallow") {
      naming = false;
      if (said === "" || said.length > MAX_PATTERN) continue;
      const rule = { allows: key === "allow", pattern: comparable(said) };
      if (names.includes(robot.toLowerCase()) && own.length < MAX_RULES) own.push(rule);
      if (names.includes("*") && common.length < MAX_RULES) common.push(rule);
    }
  }
  const rules = named ? own : common;
  return { allows: (path) => allowedBy(rules, comparable(path)), sitemaps };
}

/** The longest matching rule decides; on a tie, the one that allows. */
function allowedBy(rules: readonly Rule[], path: string): boolean {
  if (path === "/robots.txt") return true;
  let best: Rule | null = null;
  for (const rule of rules) {
    const longer = best === null ? 1 : rule.pattern.length - best.pattern.length;
    if (longer < 0 || (longer === 0 && !rule.allows)) continue;
    if (matches(rule.pattern, path)) best = rule;
  }
  return best === null || best.allows;
}

/** Takes at most time proportional to the product of the lengths, so that a hostile pattern cannot block the process. */
function matches(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith("$");
  const [first = "", ...rest] = (toEnd ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [place, piece] of rest.entries()) {
    if (toEnd && place === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !toEnd || at === path.length;
}

/** Encodes non-ASCII letters, capitalises other encoded characters and decodes unnecessary ones. */
function comparable(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\u0021-\u007e]/gu, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[a-z0-9._~-]/i.test(letter) ? letter : code.toUpperCase();
    });
}
