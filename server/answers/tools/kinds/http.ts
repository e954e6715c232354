/** A call over HTTP to an address of the owner's. */
import type { SettingsOfKind } from "#server/platform/db/schema/tools.ts";
import { openHeaders } from "../headers.ts";
import { scalarIn } from "../json-result.ts";
import { refusedInput, requireNames, requirePublicAddress } from "../refused-input.ts";
import { openProxy } from "../stored-proxy.ts";
import type { InputOf, ToolKind } from "../tool-kind.ts";
import { buildRequest, callHttp, placeholdersIn } from "./http-call.ts";

/** Headers that the server itself sets, or that would lead a request elsewhere. */
const OWN_HEADERS =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|idempotency-key|accept)$/i;

export const httpKind: ToolKind<"http"> = {
  fieldsOf: ({ fields }) => fields,

  targetOf({ method, url }) {
    // Fields stay as places: their values are shown beside it, and are removed with the contact.
    const path = /^[^/]*\/\/[^/?]*(\/[^?]+)?/.exec(url)?.[1] ?? "";
    return `${method} ${hostOf({ url })}${path === "/" ? "" : path}`.slice(0, 200);
  },

  requireSound({ loopbackAddresses }, { url, fields, headers }) {
    requirePublicAddress(url.replaceAll(/[{}]/g, "x"), loopbackAddresses);
    requireNames(fields);
    requirePlaces(url, fields);
    const own = headers.find(({ name }) => OWN_HEADERS.test(name));
    if (own !== undefined) throw refusedInput("settings", `Заголовок ${own.name} ставит сервер`);
  },

  store: async (_tx, _place, { proxy: _, ...input }) => ({
    ...input,
    headers: input.headers.map(({ name, missing }) => ({ name, ...(missing && { missing }) })),
  }),

  // A secret is never sent to another host, so there it must be entered again.
  secretsOf(input, before) {
    const isSameHost = before?.settings.kind === "http" && hostOf(before.settings) === hostOf(input);
    const kept = isSameHost ? Object.entries(before.open()) : [];
    const known = new Map(kept.map(([name, value]) => [name.toLowerCase(), value]));
    const entered = input.headers.filter(({ missing }) => !missing);
    return Object.fromEntries(
      entered.map(({ name, value }) => {
        const used = value ?? known.get(name.toLowerCase());
        if (used === undefined) throw refusedInput("settings", `Введите значение заголовка ${name}`);
        return [name, used];
      }),
    );
  },

  bind: async () => {},
  show: (settings, { proxy }) => ({ ...settings, proxy }),
  connectionOf: () => null,

  preview(settings, values) {
    const built = buildRequest(settings, values);
    return built && { method: built.method, url: built.url.href, body: built.body };
  },

  async call(deps, _tenant, tool, { values, idempotencyKey, signal }) {
    const { settings, changes } = tool;
    const request = buildRequest(settings, values);
    if (request === null)
      return { kind: "failed", reason: "Такое значение в адрес не подставить", status: null, answer: "" };
    const outcome = await callHttp(settings, request, {
      headers: openHeaders(deps.vault, tool),
      idempotencyKey,
      loopback: deps.config.loopbackAddresses,
      proxy: openProxy(deps.vault, "tools", tool),
      signal,
      changes,
    });
    const { status, answer } = outcome;
    if (outcome.kind === "done")
      return outcome.result.length === 0 && !changes
        ? { kind: "absent", status, answer }
        : { ...outcome, read: (source) => scalarIn(outcome.json, source) };
    return status === 404 && !changes ? { kind: "absent", status, answer } : outcome;
  },
};

const hostOf = ({ url }: Pick<SettingsOfKind["http"], "url">): string => new URL(url.replaceAll(/[{}]/g, "x")).host;

function requirePlaces(url: string, fields: InputOf<"http">["fields"]): void {
  const unknown = placeholdersIn(url).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw refusedInput("settings", `В адресе есть {${unknown}}, а такого поля нет`);
  if (/[{}]/.test(url.replace(/\{[A-Za-z][A-Za-z0-9_]{0,39}\}/g, "")))
    throw refusedInput("settings", "Поле в адресе пишется как {order_id}");
  const optional = fields.find(({ name, required }) => !required && placeholdersIn(url).includes(name));
  if (optional !== undefined)
    throw refusedInput("settings", `Поле {${optional.name}} стоит в адресе, поэтому оно обязательное`);
}
