/** Chosen calls of a description as tools that are off: what proves a result, and the degree, are the owner's to say in the form. */
import type { NeededHeader, OfferedCall, ToolDescription } from "#contract/actions/tool-import.ts";
import type { ToolInput } from "#contract/actions/tools.ts";
import { russian } from "../form/program-names.ts";

export const keyOf = ({ method, path }: OfferedCall): string => `${method} ${path}`;

/** A secret that the owner enters once for all chosen calls to one host. */
export interface NeededSecret {
  header: NeededHeader;
  key: string;
  /** Where it will be sent; "": the address is not entered yet. */
  host: string;
  /** Which of the chosen calls need it, by `keyOf`. */
  calls: string[];
}

/** Secrets of the chosen calls. One host never gets what was entered for another. */
export function secretsOf(calls: readonly OfferedCall[], server: string): NeededSecret[] {
  const found = new Map<string, NeededSecret>();
  for (const call of calls) {
    for (const header of call.headers) {
      const key = secretKeyOf(header, call, server);
      const before = found.get(key);
      found.set(key, {
        header,
        key,
        host: hostIn(serverOf(call, server)),
        calls: [...(before?.calls ?? []), keyOf(call)],
      });
    }
  }
  return [...found.values()];
}

/** What is entered for the chosen address stays while that address is being corrected; a call's own other host has its own. */
export function secretKeyOf({ name, scheme }: NeededHeader, call: OfferedCall, server: string): string {
  const own = call.server === null ? "" : hostIn(call.server);
  return [name.toLowerCase(), scheme, ...(own === "" || own === hostIn(server) ? [] : [own])].join(" ");
}

const hostIn = (address: string): string => /^https?:\/\/([^/?#]+)/i.exec(address.trim())?.[1]?.toLowerCase() ?? "";

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

/** «Bearer …» of a token, «Basic …» of «login:password»; a value that already begins so stays. */
export function headerValue({ scheme }: NeededHeader, entered: string): string {
  const value = entered.trim();
  if (scheme === "bearer") return /^bearer /i.test(value) ? value : `Bearer ${value}`;
  if (scheme === "basic" && !/^basic /i.test(value))
    return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`;
  return value;
}

/** What people read of a call, as its owner has typed it; "": he has not. */
export interface CallNames {
  title: string;
  description: string;
  /** By the fields' own names. */
  fields: Readonly<Record<string, string>>;
}

/** What the description says in Russian. */
export const proposedNames = ({ title, description, fields }: OfferedCall): CallNames => ({
  ...{ title: russian(title), description: russian(description) },
  fields: Object.fromEntries(fields.map(({ name, label }) => [name, russian(label)])),
});

/** What is not named yet, as phrases after «нет»: «названия по-русски». */
export const unnamedIn = (call: OfferedCall, { title, fields }: CallNames): string[] => [
  ...(title.trim() === "" ? ["названия по-русски"] : []),
  ...call.fields.filter(({ name }) => (fields[name] ?? "").trim() === "").map(({ label }) => `названия для ${label}`),
];

interface Entered {
  /** By `secretKeyOf`; a header without a value is missing until it is entered in the form. */
  secrets: Readonly<Record<string, string>>;
  /** "": there is none. */
  proxy: string;
  names: CallNames;
}

/** What is not named in Russian keeps the program's name and is unfinished; results with such names are chosen later in an answer. */
export function toolOf(call: OfferedCall, server: string, { secrets, proxy, names }: Entered): ToolInput {
  const { title, changes, method, target } = call;
  const fields = call.fields.map((field) => ({
    ...field,
    label: names.fields[field.name]?.trim() || field.label,
    description: russian(field.description),
  }));
  const shown = call.shown.filter(({ label }) => russian(label) !== "");
  return {
    ...{ title: names.title.trim() || title, description: names.description.trim() },
    ...{ enabled: false, degree: "asks", changes, examples: [] },
    proof: { everybody: false, channelPhone: null, asked: [] },
    settings: {
      ...{ kind: "http", method, url: `${serverOf(call, server)}${target}`, fields, shown, resultPath: "" },
      idempotent: false,
      ...(proxy !== "" && { proxy }),
      headers: call.headers.map((header) => {
        const entered = (secrets[secretKeyOf(header, call, server)] ?? "").trim();
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
