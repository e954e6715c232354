/** Parser of a proxy: one line in the formats of proxy sellers and of Telegram's links. */
export type ProxyAddress =
  | {
      /** `https` is an HTTP proxy that is itself reached over TLS. */
      kind: "socks5" | "http" | "https";
      host: string;
      port: number;
      /** null when the proxy needs no user name and password. */
      user: string | null;
      password: string | null;
    }
  | { kind: "mtproxy"; host: string; port: number; secret: string };

type ProxyKind = ProxyAddress["kind"];

type ReadProxy = { proxy: ProxyAddress; trouble?: never } | { proxy?: never; trouble: string };

const PROXY_MAX_CHARS = 2000;
/** Maximum bytes of a user name and of a password in SOCKS5 (RFC 1929). */
const MAX_LOGIN_BYTES = 255;
/** Lengths of an MTProto secret in bytes: 16 plain, 17 with a mode byte before them, more when the faked TLS domain follows. */
const SECRET = { plain: 16, marked: 17, longest: 17 + 182 };

const FORM = "socks5://имя:пароль@сервер:порт";
const NO_SCHEME = `Начните с вида прокси: socks5:// или http://. Целиком: ${FORM}`;
const LINK_CUT = "В ссылке на MTProxy не всё: нужны server, port и secret. Скопируйте её целиком";
const SECRET_CUT = "secret в ссылке неполный или записан неверно: скопируйте её целиком";
const PORT = "Порт прокси — это число от 1 до 65535";

/** @param text trimmed and not empty */
export function readProxy(text: string): ReadProxy {
  if (text.length > PROXY_MAX_CHARS) return { trouble: "Слишком длинное значение" };
  if (/\s/.test(text)) return { trouble: "Уберите пробелы: адрес прокси — одна строка" };
  const link = linkOf(text);
  if (link !== null) return ofLink(link);
  const scheme = /^([a-z][a-z0-9+.-]{0,20}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { trouble: NO_SCHEME };
  const rest = text.slice(scheme.length + 3);
  switch (scheme) {
    case "socks5":
    case "socks5h":
      return ofServer("socks5", rest);
    case "http":
    case "https":
      return ofServer(scheme, rest);
    case "socks4":
    case "socks4a":
      return { trouble: "SOCKS4 не подойдёт: он не знает паролей. Спросите у хозяина прокси адрес SOCKS5" };
    case "socks":
      return { trouble: `Уточните вид: SOCKS5. Целиком: ${FORM}` };
    case "vless":
    case "vmess":
    case "trojan":
    case "ss":
    case "hysteria2":
      return {
        trouble: `${scheme}:// — это VPN, а не прокси: запустите его программу на сервере и укажите её SOCKS5-адрес`,
      };
    default:
      return { trouble: `Прокси вида ${scheme}:// не поддерживается: нужен socks5:// или http://` };
  }
}

/** Splits a Telegram link into its kind («proxy» or «socks») and its query. */
function linkOf(text: string): { kind: string; query: ReadonlyMap<string, string> } | null {
  const own = /^tg:(?:\/\/)?(proxy|socks)\?(.*)$/i.exec(text);
  const web = /^(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)\/(proxy|socks)\?(.*)$/i.exec(text);
  const found = own ?? web;
  return found === null ? null : { kind: found[1]!.toLowerCase(), query: queryOf(found[2]!) };
}

const queryOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split("#", 1)[0]!
      .split("&")
      .map((part) => {
        const [name = "", ...value] = part.split("=");
        return [name.toLowerCase(), decoded(value.join("="))];
      }),
  );

function ofLink({ kind, query }: { kind: string; query: ReadonlyMap<string, string> }): ReadProxy {
  const [server, port] = [query.get("server"), query.get("port")];
  if (!server || !port) {
    return { trouble: kind === "proxy" ? LINK_CUT : "В ссылке не всё: нужны server и port. Скопируйте её целиком" };
  }
  const place = placeOf(server, port);
  if (place.trouble !== undefined) return place;
  if (kind === "socks") {
    return withLogin({ kind: "socks5", ...place }, query.get("user") || null, query.get("pass") ?? null);
  }
  const secret = query.get("secret");
  if (!secret) return { trouble: LINK_CUT };
  if (!isSecret(secret)) return { trouble: SECRET_CUT };
  return { proxy: { kind: "mtproxy", ...place, secret } };
}

function ofServer(kind: "socks5" | "http" | "https", rest: string): ReadProxy {
  // The last «@» separates, because a password may contain one.
  const at = rest.lastIndexOf("@");
  const address = rest.slice(at + 1).replace(/\/$/, "");
  const login = at === -1 ? null : rest.slice(0, at);
  const four = login === null ? address.split(":") : [];
  if (four.length === 4) {
    return { trouble: `Запишите имя и пароль перед сервером: ${kind}://имя:пароль@сервер:порт` };
  }
  const [, host, port] = /^(\[[^\]]{1,60}\]|[^:/?#[\]]{1,260})(?::(\d{1,6}))?$/.exec(address) ?? [];
  if (host === undefined) {
    return { trouble: `Проверьте сервер прокси: нужен вид ${kind}://имя:пароль@сервер:порт` };
  }
  if (port === undefined)
    return { trouble: `Укажите порт прокси: ${kind}://${login === null ? "" : "имя:пароль@"}${host}:порт` };
  const place = placeOf(host, port);
  if (place.trouble !== undefined) return place;
  if (login === null) return { proxy: { kind, ...place, user: null, password: null } };
  const colon = login.indexOf(":");
  const user = decoded(colon === -1 ? login : login.slice(0, colon));
  return withLogin({ kind, ...place }, user || null, colon === -1 ? null : decoded(login.slice(colon + 1)));
}

function withLogin(
  place: { kind: "socks5" | "http" | "https"; host: string; port: number },
  user: string | null,
  password: string | null,
): ReadProxy {
  if (user === null && password) return { trouble: "Перед паролем прокси нужно имя: имя:пароль@сервер" };
  if (user !== null && !password) return { trouble: "После имени прокси нужен пароль: имя:пароль@сервер" };
  const long = [user, password].some((part) => part !== null && utf8Length(part) > MAX_LOGIN_BYTES);
  if (long) return { trouble: "Имя и пароль прокси — не длиннее 255 знаков" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break the lines of HTTP.
  if (/[\u0000-\u001f\u007f]/.test(`${user}${password}`) || (place.kind !== "socks5" && user?.includes(":"))) {
    return { trouble: "В имени или пароле прокси есть недопустимые знаки" };
  }
  return { proxy: { ...place, user, password: user === null ? null : password } };
}

function utf8Length(text: string): number {
  let length = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0)!;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** Host and port of an address. IPv6 brackets are removed, and a Cyrillic name is allowed. */
function placeOf(host: string, port: string): { host: string; port: number; trouble?: never } | { trouble: string } {
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number < 1 || number > 65_535) return { trouble: PORT };
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  const named = bare.split(".").every((label) => /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})$/u.test(label));
  if (bare.length > 253 || !(named || (bare.includes(":") && /^[\da-f:.]+$/.test(bare)))) {
    return { trouble: "Проверьте имя сервера прокси: в нём опечатка" };
  }
  return { host: bare, port: number };
}

/** Decodes percent-encoding. A password that was not encoded keeps its «%». */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Accepts hexadecimal or base64url of 16 bytes, of 17 that begin with 0xdd, or of more that begin with 0xee. */
function isSecret(secret: string): boolean {
  const bytes = /^[\da-f]+$/i.test(secret) ? ofHex(secret) : ofBase64(secret);
  if (bytes === null || bytes.length > SECRET.longest) return false;
  if (bytes.length === SECRET.plain) return true;
  if (bytes.length === SECRET.marked) return bytes.first === 0xdd;
  return bytes.length > SECRET.marked && bytes.first === 0xee;
}

type Size = { length: number; first: number } | null;

const ofHex = (secret: string): Size =>
  secret.length % 2 === 0 ? { length: secret.length / 2, first: Number.parseInt(secret.slice(0, 2), 16) } : null;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function ofBase64(secret: string): Size {
  const signs = secret
    .replace(/={1,2}$/, "")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  if (signs.length < 2 || !/^[\w-]+$/.test(signs)) return null;
  const first = (BASE64.indexOf(signs[0]!) << 2) | (BASE64.indexOf(signs[1]!) >> 4);
  return { length: Math.floor((signs.length * 3) / 4), first };
}

const ACCOUNT_KINDS = "Для аккаунта Telegram нужен SOCKS5 или MTProxy";
const MTPROXY_ELSEWHERE =
  "MTProxy пропускает только аккаунты Telegram: здесь нужен SOCKS5 или HTTP, например socks5://имя:пароль@сервер:порт";

/**
 * Returns a Russian sentence that says why this connection cannot use the proxy; null when it can.
 * @param ofAccount whether a person's own Telegram account is connected
 */
export function proxyTrouble(text: string, ofAccount = false): string | null {
  const { proxy, trouble } = readProxy(text);
  if (trouble !== undefined) return trouble;
  if (ofAccount) {
    return proxy.kind === "socks5" || proxy.kind === "mtproxy" ? null : ACCOUNT_KINDS;
  }
  return proxy.kind === "mtproxy" ? MTPROXY_ELSEWHERE : null;
}

const KIND_NAMES: Record<ProxyKind, string> = { socks5: "SOCKS5", http: "HTTP", https: "HTTPS", mtproxy: "MTProxy" };

/** Returns «SOCKS5 proxy.example.com:1080», which the owner recognises and which contains no user name, password or secret. */
export function proxyLabel({ kind, host, port }: ProxyAddress): string {
  return `${KIND_NAMES[kind]} ${host.includes(":") ? `[${host}]` : host}:${port}`;
}
