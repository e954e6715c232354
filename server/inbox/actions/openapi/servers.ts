/** Addresses of the system in a description, without a slash at the end. */
import { isObject, type Json, listAt, own, textAt } from "./open-document.ts";

const MAX_SERVERS = 20;

/** @param base the address of the description, which relative servers follow; null: it was sent as a file */
export function serversOf(root: Json, base: string | null): string[] {
  if (textAt(root, "swagger") === "") return listed(own(root, "servers") ?? [{ url: "/" }], base);
  const host = textAt(root, "host") || (base === null ? "" : new URL(base).host);
  if (host === "") return [];
  const schemes = listAt(root, "schemes");
  // Anything else than https is refused later.
  const scheme = schemes.length === 0 || schemes.includes("https") ? "https" : "http";
  return listed([{ url: `${scheme}://${host}${textAt(root, "basePath")}` }], base);
}

/** The server of one call or path, which replaces the description's. */
export const ownServer = (from: Json, base: string | null): string | null =>
  own(from, "servers") === undefined ? null : (listed(own(from, "servers"), base)[0] ?? null);

function listed(servers: unknown, base: string | null): string[] {
  const found = (Array.isArray(servers) ? servers : [])
    .slice(0, MAX_SERVERS)
    .flatMap((one) => addressOf(one, base) ?? []);
  return [...new Set(found)];
}

/** @returns null where a variable has no value, or nothing says which host is meant */
function addressOf(server: unknown, base: string | null): string | null {
  const variables = own(server, "variables");
  const written = textAt(server, "url")
    .slice(0, 500)
    .replace(/\{([^{}]{1,60})\}/g, (whole, name: string) => {
      const variable = own(variables, name);
      if (!isObject(variable)) return whole;
      const value = own(variable, "default") ?? listAt(variable, "enum")[0];
      return typeof value === "string" || typeof value === "number" ? String(value) : whole;
    });
  if (/[{}\s]/.test(written)) return null;
  try {
    const url = base === null ? new URL(written) : new URL(written, base);
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
    return `${url.origin}${url.pathname}`.replace(/\/$/, "").slice(0, 300);
  } catch {
    return null;
  }
}
