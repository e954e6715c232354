/** Maximum characters of an original event that is kept. */
const RAW_CHARS = 256 * 1024;

/** Returns the value, or null when its JSON is too long or PostgreSQL cannot hold it; then the original is lost. */
export function keepableJson(raw: unknown): unknown {
  const json = JSON.stringify(raw);
  return json === undefined || json.length > RAW_CHARS || json.includes("\\u0000") || !json.isWellFormed() ? null : raw;
}
