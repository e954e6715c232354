/** The TL language from the server's side: mtcute reads answers and writes calls, a server needs it the other way round. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Long } from "@mtcute/core";
import { TlBinaryReader, TlBinaryWriter, type TlReaderMap, type TlWriterMap } from "@mtcute/tl-runtime";

export type TlObject = { _: string } & Record<string, unknown>;

interface Argument {
  name: string;
  type: string;
  typeModifiers?: { predicate?: string; isVector?: boolean; isBareVector?: boolean };
}

interface Entry {
  kind: "class" | "method";
  name: string;
  id: number;
  type: string;
  arguments: Argument[];
}

const SCHEMA = import.meta.resolve("@mtcute/core/tl/api-schema.json");
const readSchema = (name: string) => JSON.parse(readFileSync(fileURLToPath(new URL(name, SCHEMA)), "utf8"));
const api: Entry[] = readSchema("api-schema.json").e;
const transport: Entry[] = readSchema("mtp-schema.json");
const byName = new Map(api.map((entry) => [entry.name, entry]));
const firstOfType = new Map(api.filter(({ kind }) => kind === "class").map(({ type, name }) => [type, name]));

const compiled = async (name: string) => import(new URL(`binary/${name}.js`, SCHEMA).href);
const writers: TlWriterMap = (await compiled("writer")).__tlWriterMap;
/** With readers of methods, which the client's own map lacks. */
export const readers: TlReaderMap = { ...(await compiled("reader")).__tlReaderMap };
for (const entry of [...api, ...transport]) readers[entry.id] ??= (reader: TlBinaryReader) => readEntry(entry, reader);

const camel = (name: string) => name.replace(/_([a-z0-9])/gi, (_match, letter: string) => letter.toUpperCase());

function readEntry(entry: Entry, reader: TlBinaryReader): TlObject {
  const object: TlObject = { _: entry.name };
  for (const { name, type, typeModifiers = {} } of entry.arguments) {
    const { predicate, isVector, isBareVector } = typeModifiers;
    const [flags, bit] = predicate?.split(".") ?? [];
    const there = flags === undefined || (Number(object[flags]) & (1 << Number(bit))) !== 0;
    if (type === "true") object[camel(name)] = there;
    else if (!there) continue;
    else if (isVector || isBareVector) {
      object[camel(name)] = reader.vector(() => readValue(reader, type), isBareVector);
    } else object[camel(name)] = readValue(reader, type);
  }
  return object;
}

function readValue(reader: TlBinaryReader, type: string): unknown {
  if (type === "#") return reader.uint();
  if (type === "Bool" || type === "bool") return reader.boolean();
  const plain = ["int", "int53", "long", "double", "string", "bytes", "int128", "int256"] as const;
  const known = plain.find((name) => name === type);
  return known === undefined ? reader.object() : reader[known]();
}

const NOTHING: Record<string, () => unknown> = {
  int: () => 0,
  int53: () => 0,
  double: () => 0,
  long: () => Long.ZERO,
  string: () => "",
  bytes: () => new Uint8Array(),
  Bool: () => false,
  bool: () => false,
};

/** An object with `fields`, and nothing in all others that it must have. */
export function tlObject(name: string, fields: Record<string, unknown> = {}): TlObject {
  const entry = byName.get(name);
  if (entry === undefined) throw new Error(`TL knows no ${name}`);
  const object: TlObject = { _: name };
  for (const { name: field, type, typeModifiers = {} } of entry.arguments) {
    if (type === "#" || typeModifiers.predicate !== undefined || camel(field) in fields) continue;
    if (typeModifiers.isVector) object[camel(field)] = [];
    else object[camel(field)] = NOTHING[type]?.() ?? tlObject(firstOfType.get(type)!);
  }
  return Object.assign(object, fields);
}

export const serialize = (object: TlObject): Buffer => Buffer.from(TlBinaryWriter.serializeObject(writers, object));

export const deserialize = (bytes: Uint8Array, start = 0): TlObject =>
  TlBinaryReader.deserializeObject<TlObject>(readers, bytes, start);

/** TL's `bytes`: length, content, padding to four. */
export function tlBytes(content: Uint8Array): Buffer {
  const { length } = content;
  const head = length < 254 ? [length] : [254, length & 255, (length >> 8) & 255, length >> 16];
  const padding = (4 - ((head.length + length) % 4)) % 4;
  return Buffer.concat([Buffer.from(head), content, Buffer.alloc(padding)]);
}
