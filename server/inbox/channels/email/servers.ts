/** Finds a mailbox's servers: named by its owner, of a well-known provider, from the domain's DNS, otherwise a guess. */
import { lookup, Resolver } from "node:dns/promises";
import { domainToASCII } from "node:url";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";

export interface MailServer {
  host: string;
  port: number;
  /** Whether TLS begins with the first byte; otherwise STARTTLS is required. */
  secure: boolean;
}

export interface MailServers {
  imap: MailServer;
  /** Candidates, of which the first reachable one is used. */
  smtp: readonly MailServer[];
  provider: MailProvider | null;
}

interface MailProvider {
  name: string;
  domains: readonly string[];
  /** Suffixes of the MX host names of domains hosted there. */
  mx: readonly string[];
  imap: string;
  smtp: string;
  /** The port: 465 with TLS from the first byte, or 587 with STARTTLS. */
  smtpPort: 465 | 587;
  /** Whether the server stores letters sent through it among the sent ones. */
  keepsSent: boolean;
  /** Domains of the servers that write Authentication-Results into each incoming letter; empty: they write none. */
  checkedBy: readonly string[];
  advice: string;
}

const PROVIDERS: readonly MailProvider[] = [
  {
    name: "Яндекс",
    domains: ["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.uz", "narod.ru"],
    mx: ["yandex.net", "yandex.ru"],
    imap: "imap.yandex.ru",
    smtp: "smtp.yandex.ru",
    smtpPort: 465,
    keepsSent: false,
    checkedBy: ["yandex.net", "yandex.ru"],
    advice:
      "Нужен пароль приложения: Яндекс ID → Безопасность → Пароли приложений. И разрешите доступ по IMAP в настройках почты.",
  },
  {
    name: "Mail.ru",
    domains: ["mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru", "xmail.ru"],
    mx: ["mail.ru"],
    imap: "imap.mail.ru",
    smtp: "smtp.mail.ru",
    smtpPort: 465,
    keepsSent: false,
    checkedBy: ["mail.ru"],
    advice: "Нужен пароль приложения: Настройки → Безопасность → Пароли для внешних приложений.",
  },
  {
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    mx: ["google.com", "googlemail.com"],
    imap: "imap.gmail.com",
    smtp: "smtp.gmail.com",
    smtpPort: 465,
    keepsSent: true,
    checkedBy: ["google.com"],
    advice:
      "Нужен пароль приложения: включите двухэтапную аутентификацию и создайте его на myaccount.google.com/apppasswords.",
  },
  {
    name: "Outlook",
    domains: ["outlook.com", "hotmail.com", "live.com", "live.ru", "msn.com"],
    mx: ["outlook.com"],
    imap: "outlook.office365.com",
    smtp: "smtp.office365.com",
    smtpPort: 587,
    keepsSent: true,
    checkedBy: [],
    advice:
      "Microsoft больше не пускает почтовые программы по паролю, пароль приложения тоже не подойдёт: такой ящик пока не подключить.",
  },
  {
    name: "Rambler",
    domains: ["rambler.ru", "lenta.ru", "autorambler.ru", "myrambler.ru", "ro.ru"],
    mx: ["rambler.ru"],
    imap: "imap.rambler.ru",
    smtp: "smtp.rambler.ru",
    smtpPort: 465,
    keepsSent: false,
    checkedBy: ["rambler.ru"],
    advice: "Разрешите доступ почтовым программам: Настройки → Программы.",
  },
  {
    name: "iCloud",
    domains: ["icloud.com", "me.com", "mac.com"],
    mx: ["icloud.com"],
    imap: "imap.mail.me.com",
    smtp: "smtp.mail.me.com",
    smtpPort: 587,
    keepsSent: false,
    checkedBy: ["dmarc.icloud.com"],
    advice: "Нужен пароль приложения: account.apple.com → Вход и безопасность → Пароли приложений.",
  },
  {
    name: "Yahoo",
    domains: ["yahoo.com"],
    mx: ["yahoodns.net"],
    imap: "imap.mail.yahoo.com",
    smtp: "smtp.mail.yahoo.com",
    smtpPort: 465,
    keepsSent: false,
    checkedBy: ["yahoo.com"],
    advice: "Нужен пароль приложения: Безопасность аккаунта → Создать пароль приложения.",
  },
];

export interface MailDns {
  resolveSrv(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>;
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
  exists(name: string): Promise<boolean>;
}

const resolver = new Resolver({ timeout: 1_500, tries: 2 });
const machineDns: MailDns = {
  resolveSrv: (name) => resolver.resolveSrv(name),
  resolveMx: (name) => resolver.resolveMx(name),
  exists: async (name) => (await answered(lookup(name, { all: true }))).length > 0,
};

/** Parses «host» or «host:port». */
export function serverAt(place: string, port: number, secure: boolean): MailServer {
  const [, host, own] = /^(.*?)(?::(\d{1,5}))?$/.exec(place)!;
  return { host: host!.replace(/^\[|\]$/g, ""), port: own === undefined ? port : Number(own), secure };
}

const SUBMISSION = { tls: 465, startTls: 587 } as const;
const submissionsAt = (host: string): MailServer[] => [
  { host, port: SUBMISSION.tls, secure: true },
  { host, port: SUBMISSION.startTls, secure: false },
];

interface Mailbox {
  address: string;
  /** The servers that the owner has named; null: they must be found. */
  imap: MailServer | null;
  smtp: MailServer | null;
}

/** @throws ChannelTrouble when the servers are unknown, or the DNS does not answer */
export async function findServers({ address, imap, smtp }: Mailbox, dns: MailDns = machineDns): Promise<MailServers> {
  const domain = domainToASCII(address.slice(address.lastIndexOf("@") + 1)).toLowerCase();
  const known = providerOf(imap, domain);
  if (imap !== null && smtp !== null) return { imap, smtp: [smtp], provider: known };
  const provider = known ?? (await hostOf(domain, dns));
  if (imap !== null) {
    const sending = provider === null ? await sendingBeside(imap, domain, dns) : [smtpOf(provider)];
    return { imap, smtp: sending, provider };
  }
  if (provider !== null) {
    return { imap: { host: provider.imap, port: 993, secure: true }, smtp: [smtpOf(provider)], provider };
  }
  const told = await serviceOf("_imaps._tcp", domain, dns);
  const host = told?.host ?? (await firstKnown([`imap.${domain}`, `mail.${domain}`], dns));
  if (host === null) {
    throw new ChannelTrouble(
      "auth",
      `Почтовый сервер ${domain} не найден. Введите ключ вида imaps://имя:пароль@сервер`,
    );
  }
  const found = { host, port: told?.port ?? 993, secure: true };
  return { imap: found, smtp: await sendingBeside(found, domain, dns), provider };
}

const smtpOf = ({ smtp, smtpPort }: MailProvider): MailServer => ({
  host: smtp,
  port: smtpPort,
  secure: smtpPort === SUBMISSION.tls,
});

function providerOf(imap: MailServer | null, domain: string): MailProvider | null {
  if (imap !== null) return PROVIDERS.find((provider) => provider.imap === imap.host.toLowerCase()) ?? null;
  return PROVIDERS.find(({ domains }) => domains.includes(domain)) ?? null;
}

/** Recognises a custom domain at a well-known provider by its MX records. */
async function hostOf(domain: string, dns: MailDns): Promise<MailProvider | null> {
  const [first] = (await answered(dns.resolveMx(domain))).sort((a, b) => a.priority - b.priority);
  const exchange = first?.exchange.toLowerCase() ?? "";
  return PROVIDERS.find(({ mx }) => mx.some((end) => exchange === end || exchange.endsWith(`.${end}`))) ?? null;
}

async function sendingBeside(imap: MailServer, domain: string, dns: MailDns): Promise<MailServer[]> {
  const withTls = await serviceOf("_submissions._tcp", domain, dns);
  if (withTls !== null) return [{ ...withTls, secure: true }];
  const plain = await serviceOf("_submission._tcp", domain, dns);
  if (plain !== null) return [{ ...plain, secure: false }];
  const twin = imap.host.replace(/^imap\./i, "smtp.");
  const host = twin === imap.host ? imap.host : await firstKnown([twin, imap.host], dns);
  return submissionsAt(host ?? imap.host);
}

/** Returns the service with the lowest priority (RFC 6186); the target «.» means that there is none. */
async function serviceOf(
  service: string,
  domain: string,
  dns: MailDns,
): Promise<{ host: string; port: number } | null> {
  const records = await answered(dns.resolveSrv(`${service}.${domain}`));
  const [first] = records
    .filter(({ name }) => name !== "" && name !== ".")
    .sort((a, b) => a.priority - b.priority || b.weight - a.weight);
  return first === undefined ? null : { host: first.name, port: first.port };
}

async function firstKnown(hosts: readonly string[], dns: MailDns): Promise<string | null> {
  for (const host of hosts) if (await dns.exists(host)) return host;
  return null;
}

const NONE = new Set(["ENOTFOUND", "ENODATA", "NOTFOUND", "NODATA"]);

/** A missing record counts as an empty answer, an unanswered query as trouble. */
async function answered<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (NONE.has((error as { code?: string }).code ?? "")) return [];
    throw new ChannelTrouble("away", "Серверы почты пока не найдены: DNS не отвечает");
  }
}
