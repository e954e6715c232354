/** The installation's own mail server for tests: it accepts letters for any recipient until configured otherwise. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

export interface SmtpServer {
  /** The value for SMTP_URL; `withPassword` signs in with that password for «platform». */
  url: string;
  withPassword(password: string): string;
  /** The letters that it has taken, in order. */
  letters: ParsedMail[];
  /** The next letters are refused at this place, until it is null again. */
  refuses: "recipient" | "letter" | null;
  close(): Promise<void>;
}

const PASSWORD = "password-of-the-platform";

export async function startSmtpServer(): Promise<SmtpServer> {
  const refusal = Object.assign(new Error("no"), { responseCode: 550 });
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onAuth: ({ password }, _session, done) =>
      password === PASSWORD
        ? done(null, { user: "platform" })
        : done(Object.assign(new Error("no"), { responseCode: 535 })),
    onRcptTo: (_address, _session, done) => (started.refuses === "recipient" ? done(refusal) : done()),
    onData(stream, _session, done) {
      simpleParser(stream).then((letter) => {
        if (started.refuses === "letter") return done(refusal);
        started.letters.push(letter);
        done();
      }, done);
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const started: SmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    withPassword: (password) => `smtp://platform:${password}@127.0.0.1:${port}`,
    letters: [],
    refuses: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return started;
}
