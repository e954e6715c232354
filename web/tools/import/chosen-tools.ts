/** Chosen calls of a description as tools that are off: what proves a result, and the degree, are the owner's to say in the form. */
import type { NeededHeader, OfferedCall, ToolDescription } from "#contract/actions/tool-import.ts";
import type { ToolInput } from "#contract/actions/tools.ts";

export const keyOf = ({ method, path }: OfferedCall): string => `${method} ${path}`;

/** Headers of all chosen calls, each once. */
export function headersOf(calls: readonly OfferedCall[]): NeededHeader[] {
  const found = new Map<string, NeededHeader>();
  for (const header of calls.flatMap(({ headers }) => headers)) {
    const key = secretKeyOf(header);
    if (!found.has(key)) found.set(key, header);
  }
  return [...found.values()];
}

export const secretKeyOf = ({ name, scheme }: NeededHeader): string => `${name.toLowerCase()} ${scheme}`;

/** Addresses without a slash at the end. */
export const serverOf = (call: OfferedCall, chosen: string): string => {
  const server = call.server ?? chosen.trim();
  return server.endsWith("/") ? server.slice(0, -1) : server;
};

/** Whether it may be the beginning of an address: the server checks the rest. */
export function isServer(entered: string): boolean {
  if (/[\s{}#]/.test(entered.trim()) || !URL.canParse(entered.trim())) return false;
  return /^https?:$/.test(new URL(entered.trim()).protocol);
}

/** Hosts to which the secrets of these calls are sent. */
export function hostsOf(calls: readonly OfferedCall[], server: string): string[] {
  const hosts = calls.map((call) => /^https?:\/\/([^/?#]+)/i.exec(serverOf(call, server))?.[1] ?? "");
  return [...new Set(hosts.filter((host) => host !== ""))];
}

/** «Bearer …» of a token, «Basic …» of «login:password»; a value that already begins so stays. */
export function headerValue({ scheme }: NeededHeader, entered: string): string {
  const value = entered.trim();
  if (scheme === "bearer") return /^bearer /i.test(value) ? value : `Bearer ${value}`;
  if (scheme === "basic" && !/^basic /i.test(value))
    return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`;
  return value;
}

/**
 * @param proxy "": there is none
 * @param secrets what was entered by `secretKeyOf`; a header without a value is missing until it is entered in the form
 */
export function toolOf(
  call: OfferedCall,
  server: string,
  { secrets, proxy }: { secrets: Readonly<Record<string, string>>; proxy: string },
): ToolInput {
  const { title, description, changes, method, fields, shown, target } = call;
  return {
    ...{ title, description, enabled: false, degree: "asks", changes, examples: [] },
    proof: { everybody: false, channelPhone: null, asked: [] },
    settings: {
      ...{ kind: "http", method, url: `${serverOf(call, server)}${target}`, fields, shown, resultPath: "" },
      idempotent: false,
      ...(proxy !== "" && { proxy }),
      headers: call.headers.map((header) => {
        const entered = (secrets[secretKeyOf(header)] ?? "").trim();
        return { name: header.name, ...(entered === "" ? { missing: true } : { value: headerValue(header, entered) }) };
      }),
    },
  };
}

/** Calls whose title, path or description has the words. */
export function foundCalls({ calls }: ToolDescription, words: string): OfferedCall[] {
  const sought = words.trim().toLocaleLowerCase("ru");
  return calls.filter(({ method, path, title, description }) =>
    `${method} ${path}\n${title}\n${description}`.toLocaleLowerCase("ru").includes(sought),
  );
}
