import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { resetLetter } from "./letters.ts";
import { createMailer } from "./mail.ts";

const letter = resetLetter("ann@example.test", "https://twins.example", "t".repeat(43), false);

/** A minimal SMTP server that accepts a letter; `answerTo` may refuse the recipient. */
async function smtpServer(answerTo = "250 ok") {
  const said: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    socket.write("220 test\r\n");
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      said.push(line);
      if (inData) {
        if (line !== ".") return;
        inData = false;
        socket.write("250 taken\r\n");
      } else if (line === "DATA") {
        inData = true;
        socket.write("354 go on\r\n");
      } else if (line === "QUIT") socket.end("221 bye\r\n");
      else socket.write(line.startsWith("RCPT") ? `${answerTo}\r\n` : "250 ok\r\n");
    });
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { said, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test("a letter is sent by SMTP with its recipient, sender and link", async () => {
  const smtp = await smtpServer();
  await createMailer(
    { production: false, smtpUrl: smtp.url, mailFrom: "Двойники <no-reply@twins.example>" },
    createLog("silent"),
  ).send(letter);
  smtp.close();
  expect(smtp.said).toContain("RCPT TO:<ann@example.test>");
  expect(smtp.said).toContain("MAIL FROM:<no-reply@twins.example>");
  const body = smtp.said.slice(smtp.said.indexOf("", smtp.said.indexOf("DATA"))).join("\n");
  const text = /base64/.test(smtp.said.join("\n"))
    ? Buffer.from(body.split("\n.\n")[0]!, "base64").toString()
    : body.replace(/=\n/g, "").replace(/=3D/g, "=");
  expect(text).toContain(`https://twins.example/reset-password?token=${"t".repeat(43)}`);
});

test("a letter that the mail server refuses is a failure", async () => {
  const smtp = await smtpServer("550 no such mailbox");
  const mailer = createMailer(
    { production: false, smtpUrl: smtp.url, mailFrom: "no-reply@twins.example" },
    createLog("silent"),
  );
  await expect(mailer.send(letter)).rejects.toThrow(/550/);
  smtp.close();
});

test("without a mail server the letter with its link is written to the log", async () => {
  const lines = new PassThrough();
  await createMailer(
    { production: false, smtpUrl: null, mailFrom: "no-reply@twins.example" },
    createLog("info", lines),
  ).send(letter);
  const line = JSON.parse(String(lines.read()));
  expect(line.level).toBe(30);
  expect(line.msg).toContain("SMTP_URL не задан");
  expect(line.msg).toContain("ann@example.test");
  expect(line.msg).toContain(`https://twins.example/reset-password?token=${"t".repeat(43)}`);
});

test("without a mail server the link is also printed in a line for people, whatever level the log has", async () => {
  const printed: string[] = [];
  const settings = { production: false, smtpUrl: null, mailFrom: "no-reply@twins.example" };
  await createMailer(settings, createLog("silent"), (line) => void printed.push(line)).send(letter);
  expect(printed).toEqual([
    "SMTP_URL не задан, письмо не отправлено. Кому: ann@example.test. Новый пароль: " +
      `https://twins.example/reset-password?token=${"t".repeat(43)}`,
  ]);
});

test("in production no mailer writes links into the log", () => {
  expect(() => createMailer({ production: true, smtpUrl: null, mailFrom: "a@b.ru" }, createLog("silent"))).toThrow(
    "never logged in production",
  );
});
