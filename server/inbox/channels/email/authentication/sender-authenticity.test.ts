import { expect, test } from "vitest";
import { readAuthenticationResults } from "./authentication-results.ts";
import { type HeaderLine, senderAuthenticity, serversNear, type TrustedServers } from "./sender-authenticity.ts";

const IVAN = "ivan@client.test";
const NEARBY = serversNear("imap.shop.test", "ann@shop.test");
const GOOGLE: TrustedServers = { domains: ["google.com"], alwaysWrite: true };

const RECEIVED = "Received: from mail.client.test (mail.client.test [192.0.2.1]) by mx.shop.test with ESMTPS id 1";
const LOCAL = "Received: from mx.shop.test by mail.shop.test\r\n\twith LMTP id 2; Mon, 16 Nov 2026 07:00:00 +0000";
const results = (said: string, by = "mx.shop.test") => `Authentication-Results: ${by}; ${said}`;

const headersOf = (...lines: string[]): HeaderLine[] =>
  [...lines, "From: Ivan <ivan@client.test>"].map((line) => ({ key: line.split(":", 1)[0]!.toLowerCase(), line }));
const judged = (lines: string[], trusted = NEARBY, from = IVAN) =>
  senderAuthenticity(headersOf(...lines), from, trusted);

test.each<[string, "passed" | "unknown" | "failed"]>([
  ["dmarc=pass (p=REJECT) header.from=client.test", "passed"],
  ["dmarc=pass header.from=ivan@client.test", "passed"],
  ["dkim=pass header.d=client.test header.s=a; spf=none", "passed"],
  ["dkim=pass header.i=@client.test header.b=a/b+c==", "passed"],
  ["dkim = pass (2048-bit; dkim=fail) header.d = client.test", "passed"],
  ["spf=pass (sender is ok) smtp.mailfrom=bounce@client.test smtp.helo=evil.test", "passed"],
  ["spf=pass smtp.mail=ivan@client.test", "passed"],
  ["dkim=fail header.d=client.test; dkim=pass header.d=client.test", "passed"],
  ["dmarc=fail header.from=client.test; dkim=pass header.d=client.test", "failed"],
  ["spf=fail smtp.mailfrom=client.test", "failed"],
  ["spf=hardfail smtp.mailfrom=client.test; dkim=pass header.d=evil.test", "failed"],
  ["spf=fail smtp.mailfrom=client.test; dkim=pass header.d=client.test", "passed"],
  ["spf=softfail smtp.mailfrom=client.test; dkim=none", "unknown"],
  ["dmarc=pass header.from=evil.test", "unknown"],
  ["dmarc=pass", "unknown"],
  ["dkim=pass header.d=evil.test; spf=pass smtp.mailfrom=mallory@evil.test", "unknown"],
  ["dkim=pass header.d=notclient.test", "unknown"],
  ["dkim=pass header.d=sub.client.test", "unknown"],
  ["dkim=pass header.d=test", "unknown"],
  ["spf=pass smtp.helo=client.test", "unknown"],
  ['spf=none (dmarc=pass header.from=client.test) reason="dmarc=pass header.from=client.test"', "unknown"],
  ['spf=none reason="; dmarc=pass header.from=client.test"', "unknown"],
  ["none", "unknown"],
  ["", "unknown"],
])("the own server's «%s» makes a sender %s", (said, authenticity) => {
  expect(judged([results(said), RECEIVED])).toBe(authenticity);
});

test("a domain above the sender's may sign for it, and names in Cyrillic are compared as DNS has them", () => {
  const said = results("dkim=pass header.d=xn--e1afmkfd.xn--p1ai");
  expect(judged([said, RECEIVED], NEARBY, "ivan@mail.пример.рф")).toBe("passed");
});

const PASS = "dmarc=pass header.from=client.test";

test("whoever writes the field into a letter himself is not believed", () => {
  // The server has added only the header Received.
  expect(judged([RECEIVED, results(PASS)])).toBe("unknown");
  expect(judged([LOCAL, RECEIVED, results(PASS)])).toBe("unknown");
  expect(judged([results(PASS)])).toBe("unknown");
  expect(judged([RECEIVED, LOCAL, results(PASS), RECEIVED])).toBe("unknown");
  expect(judged(["Received: from with LMTP (evil [192.0.2.9]) by mx with ESMTP", results(PASS)])).toBe("unknown");
  // The header names another server, even one with a similar name.
  expect(judged([results(PASS, "mx.evil.test"), RECEIVED])).toBe("unknown");
  expect(judged([results(PASS, "mx.notshop.test"), RECEIVED])).toBe("unknown");
  expect(judged([results(PASS, "shop.test.evil.test"), RECEIVED])).toBe("unknown");
});

test("a server that writes the field into each letter is believed once, wherever its topmost one stands", () => {
  const own = (said: string) => results(said, "mx.google.com");
  expect(judged([RECEIVED, own(PASS)], GOOGLE)).toBe("passed");
  expect(judged([RECEIVED, own("spf=none"), own(PASS)], GOOGLE)).toBe("unknown");
  expect(judged([RECEIVED, results(PASS, "mx.evil.test"), own("spf=none"), own(PASS)], GOOGLE)).toBe("unknown");
  expect(judged([RECEIVED, own(`spf=none ${" ".repeat(9000)}`), own(PASS)], GOOGLE)).toBe("unknown");
});

test("several fields that the own server has put on top count together; a failure counts at any place", () => {
  expect(judged([results("dmarc=none"), results("dkim=pass header.d=client.test"), LOCAL, RECEIVED])).toBe("passed");
  expect(judged([LOCAL, results(PASS), RECEIVED])).toBe("passed");
  expect(judged([results("dmarc=fail"), results("dkim=pass header.d=client.test"), RECEIVED])).toBe("failed");
  expect(judged([RECEIVED, results("dmarc=fail")])).toBe("failed");
});

test("a letter with several senders has no proven sender", () => {
  expect(judged([results(PASS), RECEIVED, "From: Mallory <m@evil.test>"])).toBe("unknown");
  expect(judged([results(PASS), RECEIVED], NEARBY, "")).toBe("unknown");
  expect(judged([results("dmarc=fail"), RECEIVED], NEARBY, "")).toBe("failed");
});

test("the field is read by its grammar: versions, comments in comments, quoted values, folded lines", () => {
  const read = readAuthenticationResults(
    ' "MX.Shop.test" 1;\r\n\tdkim/1=pass (a (b; c\\) d) e)\r\n reason="good; = \\"x\\"" header.d=Client.test;;spf=none',
  );
  expect(read).toEqual({
    authservId: "mx.shop.test",
    results: [
      { method: "dkim", result: "pass", properties: new Map([["header.d", "client.test"]]) },
      { method: "spf", result: "none", properties: new Map() },
    ],
  });
  expect(readAuthenticationResults("spf=pass smtp.mailfrom=client.test")).toBeNull();
  expect(readAuthenticationResults("((((")).toBeNull();
});

test("servers near a mailbox are those of its domain and of its server's", () => {
  expect(serversNear("imap.host.test", "ann@shop.test").domains).toEqual(["host.test", "shop.test"]);
  expect(serversNear("127.0.0.1", "ann@почта.рф").domains).toEqual(["xn--80a1acny.xn--p1ai"]);
});
