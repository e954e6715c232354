import { expect, test } from "vitest";
import type { Proxied } from "#server/platform/network/proxied.ts";
import { awayMessage, placeOf, refusedLogin, SERVER_UNAVAILABLE } from "./login.ts";

const server = (host: string) => ({ host, port: 993, secure: true });
const proxy = (mayBePrivate: boolean) => ({ settings: { mayBePrivate } }) as Proxied;
const INTERNAL = { kind: "auth", message: expect.stringContaining("внутренний") };

test("a certificate that fails its check is named, because a retry does not help", () => {
  expect(awayMessage({ code: "CERT_HAS_EXPIRED" })).toBe("Сертификат почтового сервера не проходит проверку");
  expect(awayMessage({ code: "ECONNREFUSED" })).toBe(SERVER_UNAVAILABLE);
  expect(awayMessage(null)).toBe(SERVER_UNAVAILABLE);
});

test("only the operator's servers may be internal, and a name is kept for the certificate", async () => {
  const own = { trusted: true, proxy: null };
  expect(await placeOf(server("mail.internal"), own)).toEqual({ host: "mail.internal", servername: "mail.internal" });
  expect(await placeOf(server("127.0.0.1"), own)).toEqual({ host: "127.0.0.1" });
  const users = { trusted: false, proxy: null };
  expect(await placeOf(server("8.8.8.8"), users)).toEqual({ host: "8.8.8.8" });
  await expect(placeOf(server("127.0.0.1"), users)).rejects.toMatchObject(INTERNAL);
});

test("a public proxy gets the name and resolves it; one in our network gets an address that was checked here", async () => {
  const far = { trusted: false, proxy: proxy(false) };
  expect(await placeOf(server("mail.example.org"), far)).toEqual({
    host: "mail.example.org",
    servername: "mail.example.org",
  });
  await expect(placeOf(server("localhost"), far)).rejects.toMatchObject(INTERNAL);
  const near = { trusted: false, proxy: proxy(true) };
  expect(await placeOf(server("8.8.8.8"), near)).toEqual({ host: "8.8.8.8" });
  await expect(placeOf(server("10.0.0.1"), near)).rejects.toMatchObject(INTERNAL);
});

test("a refused login names the provider and its advice, where the provider is known", () => {
  const servers = { imap: server("a.test"), smtp: [] };
  const login = { user: "a@a.test", password: "p", trusted: false, proxy: null };
  const known = { name: "Яндекс", advice: "Включите IMAP." } as NonNullable<
    Parameters<typeof refusedLogin>[0]["servers"]["provider"]
  >;
  expect(refusedLogin({ ...login, servers: { ...servers, provider: known } }, "IMAP").message).toBe(
    "Яндекс не принимает адрес и пароль. Включите IMAP.",
  );
  expect(refusedLogin({ ...login, servers: { ...servers, provider: null } }, "SMTP").message).toMatch(
    /^Почтовый сервер не принимает адрес и пароль для отправки писем\. Проверьте их/,
  );
});
