/**
 * Decides whether the mailbox's own server has found a letter to come from whom it names. Everybody may write Authentication-Results
 * into a letter, so it matters where the field stands and who says to have written it (docs/decisions/033-email.md).
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { SenderAuthenticity } from "../../protocol/channel.ts";
import { type MethodResult, readAuthenticationResults } from "./authentication-results.ts";

/** The servers whose word counts for a mailbox. */
export interface TrustedServers {
  /** Domains; a server's name is one of them or lies within. */
  domains: readonly string[];
  /**
   * Whether these servers are known to write the field into each letter. Then the topmost is theirs, wherever it stands; otherwise it
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
  // The server has checked one of several senders, and who knows which.
  if (domain === "" || headers.filter(({ key }) => key === "from").length !== 1) return "unknown";
  return found.mayPass && hasPassed(found.results, domain) ? "passed" : "unknown";
}

interface FoundResults {
  results: MethodResult[];
  /**
   * Whether only the mailbox's own server can have written them. Otherwise only a failure is believed, because forging one has no benefit.
   */
  mayPass: boolean;
}

function trustedResults(headers: readonly HeaderLine[], { domains, alwaysWrite }: TrustedServers): FoundResults {
  const border = headers.findIndex(({ key, line }) => key === "received" && !isLocalDelivery(line));
  const isOwn = (authservId: string) => domains.some((domain) => isWithin(authservId, domain));
  // Whatever stands above the line that the receiving server has added on top was written after the letter had come.
  const above = border < 0 ? [] : headers.slice(0, border).filter(isResults);
  const own = above.flatMap(({ line }) => {
    const read = readAuthenticationResults(fieldOf(line));
    return read !== null && isOwn(read.authservId) ? read.results : [];
  });
  if (own.length > 0) return { results: own, mayPass: true };
  for (const { line } of headers.filter(isResults)) {
    const value = fieldOf(line);
    const read = readAuthenticationResults(value);
    // One that cannot be read may be the server's own, so what stands below is not asked.
    if (read === null) break;
    if (isOwn(read.authservId)) return { results: read.results, mayPass: alwaysWrite };
  }
  return { results: [], mayPass: false };
}

const isResults = ({ key }: HeaderLine): boolean => key === "authentication-results";
const fieldOf = (line: string): string => line.slice(line.indexOf(":") + 1);

/** Characters of a line «Received» that are looked at; it is the server's own and short. */
const RECEIVED_CHARS = 2_000;

/**
 * Whether the line was added on the way from the receiving server into the mailbox, by LMTP (RFC 2033), which is not spoken between
 * networks. The line names the sending host before the protocol, so the last «with» counts.
 */
function isLocalDelivery(line: string): boolean {
  const words = line.slice(0, RECEIVED_CHARS).toLowerCase().split(/\s/).filter(Boolean);
  const protocol = words[words.lastIndexOf("with") + 1] ?? "";
  return words.includes("with") && protocol.startsWith("lmtp");
}

/** DMARC has failed, or SPF has and no signature of the sender's domain makes up for it. */
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

/** Yandex calls the property «smtp.mail». */
const mailFromOf = ({ properties }: MethodResult): string =>
  domainOf(properties.get("smtp.mailfrom") ?? properties.get("smtp.mail"));

/**
 * Whether who speaks for `by` speaks for the sender's domain: it is the same one or a domain above it. DMARC also lets a lower domain
 * speak for a higher one of the same owner, but only a list of all public suffixes tells who that is.
 */
const isAligned = (by: string, domain: string): boolean => by.includes(".") && isWithin(domain, by);

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** The domain of an address, or of a bare domain, in the form in which names are compared; "" for none. */
function domainOf(text: string | undefined): string {
  if (text === undefined) return "";
  const bare = text.slice(text.lastIndexOf("@") + 1);
  return domainToASCII(bare.endsWith(".") ? bare.slice(0, -1) : bare).toLowerCase();
}

/** The servers that may speak for a mailbox without further settings: those in the domain of the IMAP server and of the address. */
export function serversNear(imapHost: string, address: string): TrustedServers {
  const host = isIP(imapHost) === 0 ? domainToASCII(imapHost).toLowerCase() : "";
  const labels = host.split(".");
  const domains = [labels.length > 2 ? labels.slice(1).join(".") : host, domainOf(address)];
  return { domains: domains.filter((domain) => domain.includes(".")), alwaysWrite: false };
}
