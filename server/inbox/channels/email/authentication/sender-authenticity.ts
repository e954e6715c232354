/**
 * Decides whether the mailbox's own server found a letter's sender authentic. Anyone may write Authentication-Results into a letter, so its
 * position and its server name decide (docs/decisions/033-email.md).
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { SenderAuthenticity } from "#server/inbox/channel-protocol/channel.ts";
import { type MethodResult, readAuthenticationResults } from "./authentication-results.ts";

/** The servers whose results count for a mailbox. */
export interface TrustedServers {
  /** Domains; a server's name must be one of them or a subdomain. */
  domains: readonly string[];
  /**
   * Whether these servers are known to write the header into each letter. Then the topmost header is theirs, wherever it is; otherwise it
   * counts only above everything that came with the letter.
   */
  alwaysWrite: boolean;
}

export interface HeaderLine {
  key: string;
  line: string;
}

/**
 * @param headers in the letter's order
 * @param from the sender's address, in lower case
 */
export function senderAuthenticity(
  headers: readonly HeaderLine[],
  from: string,
  trusted: TrustedServers,
): SenderAuthenticity {
  const found = trustedResults(headers, trusted);
  const domain = domainOf(from);
  if (hasFailed(found.results, domain)) return "failed";
  // With several senders it is unknown which one the server has checked.
  if (domain === "" || headers.filter(({ key }) => key === "from").length !== 1) return "unknown";
  return found.mayPass && hasPassed(found.results, domain) ? "passed" : "unknown";
}

interface FoundResults {
  results: MethodResult[];
  /** Whether only the mailbox's own server can have written them. Otherwise only a failure counts, because forging one has no benefit. */
  mayPass: boolean;
}

function trustedResults(headers: readonly HeaderLine[], { domains, alwaysWrite }: TrustedServers): FoundResults {
  const border = headers.findIndex(({ key, line }) => key === "received" && !isLocalDelivery(line));
  const isOwn = (authservId: string) => domains.some((domain) => isWithin(authservId, domain));
  // Headers above the line that the receiving server has added were written after the letter arrived.
  const above = border < 0 ? [] : headers.slice(0, border).filter(isResults);
  const own = above.flatMap(({ line }) => {
    const read = readAuthenticationResults(fieldOf(line));
    return read !== null && isOwn(read.authservId) ? read.results : [];
  });
  if (own.length > 0) return { results: own, mayPass: true };
  for (const { line } of headers.filter(isResults)) {
    const value = fieldOf(line);
    const read = readAuthenticationResults(value);
    // An unreadable header may be the server's own, so headers below it do not count.
    if (read === null) break;
    if (isOwn(read.authservId)) return { results: read.results, mayPass: alwaysWrite };
  }
  return { results: [], mayPass: false };
}

const isResults = ({ key }: HeaderLine): boolean => key === "authentication-results";
const fieldOf = (line: string): string => line.slice(line.indexOf(":") + 1);

/** Maximum characters of a header Received that are read; the server's own is short. */
const RECEIVED_CHARS = 2_000;

/**
 * Returns whether the line was added between the receiving server and the mailbox, by LMTP (RFC 2033), which networks do not use between
 * them. The line names the sending host before the protocol, so the last «with» counts.
 */
function isLocalDelivery(line: string): boolean {
  const words = line.slice(0, RECEIVED_CHARS).toLowerCase().split(/\s/).filter(Boolean);
  const protocol = words[words.lastIndexOf("with") + 1] ?? "";
  return words.includes("with") && protocol.startsWith("lmtp");
}

/** DMARC has failed, or SPF has failed without a valid signature of the sender's domain. */
function hasFailed(results: readonly MethodResult[], domain: string): boolean {
  const says = (method: string, ...which: string[]) =>
    results.some((each) => each.method === method && which.includes(each.result));
  if (says("dmarc", "fail")) return true;
  return says("spf", "fail", "hardfail") && !says("dmarc", "pass") && !isSigned(results, domain);
}

function hasPassed(results: readonly MethodResult[], domain: string): boolean {
  return results.some(
    (each) =>
      each.result === "pass" &&
      ((each.method === "dmarc" && domainOf(each.properties.get("header.from")) === domain) ||
        isSignature(each, domain) ||
        (each.method === "spf" && isAligned(mailFromOf(each), domain))),
  );
}

const isSigned = (results: readonly MethodResult[], domain: string): boolean =>
  results.some((each) => isSignature(each, domain));

const isSignature = ({ method, result, properties }: MethodResult, domain: string): boolean =>
  method === "dkim" &&
  result === "pass" &&
  isAligned(domainOf(properties.get("header.d") ?? properties.get("header.i")), domain);

/** Yandex names the property «smtp.mail». */
const mailFromOf = ({ properties }: MethodResult): string =>
  domainOf(properties.get("smtp.mailfrom") ?? properties.get("smtp.mail"));

/**
 * Returns whether the domain `by` may speak for the sender's domain: it is the same or a parent. DMARC also allows subdomains of the same
 * owner, but recognising them needs the list of public suffixes.
 */
const isAligned = (by: string, domain: string): boolean => by.includes(".") && isWithin(domain, by);

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Returns the domain of an address, or of a bare domain, in a form for comparison; "" for none. */
function domainOf(text: string | undefined): string {
  if (text === undefined) return "";
  const bare = text.slice(text.lastIndexOf("@") + 1);
  return domainToASCII(bare.endsWith(".") ? bare.slice(0, -1) : bare).toLowerCase();
}

/** Returns the default servers for a mailbox: those in the domains of the IMAP server and of the address. */
export function serversNear(imapHost: string, address: string): TrustedServers {
  const host = isIP(imapHost) === 0 ? domainToASCII(imapHost).toLowerCase() : "";
  const labels = host.split(".");
  const domains = [labels.length > 2 ? labels.slice(1).join(".") : host, domainOf(address)];
  return { domains: domains.filter((domain) => domain.includes(".")), alwaysWrite: false };
}
