import { expect, test } from "vitest";
import { credentialsOf } from "../credentials.ts";
import { findServers, type MailDns, serverAt } from "./servers.ts";

interface Zone {
  srv?: Record<string, [name: string, port: number, priority?: number][]>;
  mx?: string;
  hosts?: string[];
}

const dnsOf = ({ srv = {}, mx, hosts = [] }: Zone): MailDns => ({
  async resolveSrv(name) {
    const records = srv[name];
    if (records === undefined) throw Object.assign(new Error(name), { code: "ENODATA" });
    return records.map(([host, port, priority = 0]) => ({ name: host, port, priority, weight: 0 }));
  },
  async resolveMx(name) {
    if (mx === undefined) throw Object.assign(new Error(name), { code: "ENOTFOUND" });
    return [{ exchange: mx, priority: 10 }];
  },
  exists: async (name) => hosts.includes(name),
});
const at = (host: string, port: number, secure = true) => ({ host, port, secure });
const find = async (address: string, zone: Zone = {}, imap: string | null = null) => {
  const named = imap === null ? null : serverAt(imap, 993, true);
  const { imap: found, smtp, provider } = await findServers({ address, imap: named, smtp: null }, dnsOf(zone));
  return [found, smtp, provider?.name ?? null];
};

test("the servers of well-known addresses are known, also for domains that are hosted there", async () => {
  expect(await find("a@ya.ru")).toEqual([at("imap.yandex.ru", 993), [at("smtp.yandex.ru", 465)], "Яндекс"]);
  expect(await find("a@bk.ru")).toEqual([at("imap.mail.ru", 993), [at("smtp.mail.ru", 465)], "Mail.ru"]);
  expect(await find("a@shop.test", { mx: "ASPMX.l.google.com" })).toMatchObject([
    { host: "imap.gmail.com" },
    {},
    "Gmail",
  ]);
  expect(await find("a@icloud.com")).toMatchObject([{}, [at("smtp.mail.me.com", 587, false)], "iCloud"]);
  // The domain «notmail.ru» is not «mail.ru».
  expect(
    (await find("a@shop.test", { mx: "mx.notmail.ru", hosts: ["imap.shop.test", "smtp.shop.test"] }))[2],
  ).toBeNull();
});

test("the DNS tells a domain's servers, the preferred one first, or that it has none", async () => {
  const srv = {
    "_imaps._tcp.shop.test": [
      ["backup.shop.test", 993, 20],
      ["box.shop.test", 9930, 10],
    ],
    "_submissions._tcp.shop.test": [[".", 0]],
    "_submission._tcp.shop.test": [["out.shop.test", 587]],
  } satisfies Zone["srv"];
  expect(await find("a@shop.test", { srv })).toEqual([
    at("box.shop.test", 9930),
    [at("out.shop.test", 587, false)],
    null,
  ]);
});

test("otherwise the usual names are tried; a domain without any server is reported to the owner", async () => {
  const both = (host: string) => [at(host, 465), at(host, 587, false)];
  const hosts = ["imap.shop.test", "smtp.shop.test"];
  expect(await find("a@shop.test", { hosts })).toEqual([at("imap.shop.test", 993), both("smtp.shop.test"), null]);
  expect(await find("a@shop.test", { hosts: ["mail.shop.test"] })).toEqual([
    at("mail.shop.test", 993),
    both("mail.shop.test"),
    null,
  ]);
  const [cyrillic] = await find("a@почта.рф", { hosts: ["imap.xn--80a1acny.xn--p1ai"] });
  expect(cyrillic).toEqual(at("imap.xn--80a1acny.xn--p1ai", 993));
  await expect(find("a@nowhere.test")).rejects.toThrow("Почтовый сервер nowhere.test не найден");
});

test("a server that the owner has named is used, and the one for sending is found beside it", async () => {
  expect(await find("a@shop.test", { hosts: ["box.shop.test"] }, "box.shop.test:9930")).toMatchObject([
    at("box.shop.test", 9930),
    [at("box.shop.test", 465), at("box.shop.test", 587, false)],
    null,
  ]);
  expect(await find("a@shop.test", {}, "imap.yandex.ru")).toMatchObject([{}, [{ host: "smtp.yandex.ru" }], "Яндекс"]);
  expect(serverAt("[2a02:6b8::1]:993", 1, true)).toEqual(at("2a02:6b8::1", 993));
});

test("a DNS that does not answer is temporary trouble, not a domain without mail", async () => {
  const silent: MailDns = {
    ...dnsOf({}),
    resolveMx: () => Promise.reject(Object.assign(new Error("timeout"), { code: "ETIMEOUT" })),
  };
  const asked = findServers({ address: "a@shop.test", imap: null, smtp: null }, silent);
  await expect(asked).rejects.toMatchObject({ kind: "away" });
});

test("a mailbox in one line keeps its password as it is, escaped or not", () => {
  const of = (apiKey: string, address: string | null = null) =>
    credentialsOf({ platform: "email", apiKey, settings: { address } });
  const plain = { platform: "email", address: "a@b.test", user: "a@b.test", smtp: null };
  expect(of("imaps://a@b.test:p:@ss#%zz@box.test:9")).toEqual({
    ...plain,
    password: "p:@ss#%zz",
    imap: "imaps://box.test:9",
  });
  expect(of("imap://a%40b.test:p%40s@box.test/")).toEqual({ ...plain, password: "p@s", imap: "imap://box.test" });
  expect(of("imaps://ann:p@box.test?smtp=out.test:587", "a@b.test")).toEqual({
    platform: "email",
    address: "a@b.test",
    user: "ann",
    password: "p",
    imap: "imaps://box.test",
    smtp: "smtp://out.test:587",
  });
  expect(of("imaps://a@b.test:p@box.test?authserv=MX.b.test&smtp=out.test")).toEqual({
    ...plain,
    password: "p",
    imap: "imaps://box.test",
    smtp: "smtps://out.test",
    checkedBy: "MX.b.test",
  });
});
