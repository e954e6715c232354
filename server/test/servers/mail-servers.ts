/**
 * Real mail servers for tests: a throw-away dovecot (IMAP with TLS, IDLE, special folders) and an SMTP server that delivers
 * into its mailboxes, as a letter's last server does. Everything is on 127.0.0.1 and in one temporary folder.
 */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { dirname, join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

// The scripts are plain JavaScript outside this project's types.
const script = new URL("../../../scripts/free-port.mjs", import.meta.url).href;
const { freePort } = (await import(script)) as { freePort: () => Promise<number> };

const run = promisify(execFile);

/** What happens to the next letter; without a script it is delivered. */
type MailBehaviour =
  /** The recipient is refused with this answer. */
  | { kind: "refuse-recipient"; code: number; text: string }
  /** The whole letter is refused with this answer. */
  | { kind: "refuse-letter"; code: number; text: string }
  /** The letter is delivered, and the connection is reset before the answer. */
  | { kind: "reset-after-data" }
  /** The connection is reset before the letter is asked for. */
  | { kind: "reset-before-data" };

export interface MailServers {
  /** The values for EMAIL_IMAP_URL and EMAIL_SMTP_URL. */
  imap: string;
  smtp: string;
  imapPort: number;
  /** Path of the authority whose certificate they show. */
  certificate: string;
  /** Letters that the SMTP server has taken and delivered, in order. */
  sent: { from: string; to: string; source: Buffer }[];
  /** Sets a new password; when the promise resolves, the former one is refused. */
  setPassword(address: string, password: string): Promise<void>;
  /** Delivers a letter that comes from elsewhere; a bounce has the `returnPath` "". The folder «Sent» gets one that another program of the owner has sent. */
  deliver(to: string, source: string | Buffer, returnPath?: string, folder?: "INBOX" | "Sent"): Promise<void>;
  script(...behaviours: MailBehaviour[]): void;
  /** Ends the user's IMAP sessions. */
  kick(address: string): Promise<void>;
  /** Numbers the inbox anew, as a restored backup does. */
  renumber(address: string): Promise<void>;
  /** The letters of a folder, in order. */
  lettersIn(address: string, folder: "INBOX" | "Sent"): Promise<ParsedMail[]>;
  close(): Promise<void>;
}

/** The path of dovecot; undefined when its tests are to be skipped. @throws Error where nothing may be skipped (CI) */
export function findDovecot(): string | undefined {
  const path = [process.env.DOVECOT_PATH, "/usr/sbin/dovecot"].find((each) => each && existsSync(each));
  if (path === undefined && process.env.CI === "true") throw new Error("dovecot не найден");
  return path;
}

/** @param mailboxes passwords by address */
export async function startMailServers(dovecot: string, mailboxes: Record<string, string>): Promise<MailServers> {
  // Not TMPDIR: a socket's path may be at most 107 bytes long, and the mailboxes' user must find a way in.
  const folder = await mkdtemp("/tmp/twins-mail-");
  await chmod(folder, 0o755);
  const owner = process.getuid?.() === 0 ? await idsOf("nobody") : null;
  const at = (...parts: string[]) => join(folder, ...parts);
  for (const name of ["mail", "run", "state"]) await mkdir(at(name));
  if (owner !== null) await chown(at("mail"), owner.uid, owner.gid);
  const certificate = ["-keyout", at("key.pem"), "-out", at("cert.pem"), "-subj", "/CN=mail.test", "-days", "2"];
  const names = "subjectAltName=IP:127.0.0.1,DNS:mail.test";
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await run("openssl", ["req", "-x509", ...curve, ...certificate, "-addext", names]);
  const [key, cert] = [await readFile(at("key.pem")), await readFile(at("cert.pem"), "utf8")];
  // The process trusts this authority from here on; this is undone at the end.
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);

  const passwords = new Map(Object.entries(mailboxes));
  const writePasswords = () =>
    writeFile(at("users"), [...passwords].map(([user, secret]) => `${user}:{PLAIN}${secret}::::::\n`).join(""));
  const scripted: MailBehaviour[] = [];
  const imapPort = await freePort();
  await writePasswords();
  await writeFile(at("dovecot.conf"), dovecotConf(folder, imapPort, owner));
  const daemon = spawn(dovecot, ["-F", "-c", at("dovecot.conf")], { stdio: "ignore" });
  const ended = once(daemon, "exit");
  const leave = () => {
    daemon.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", leave);
  await reachable(imapPort, () => daemon.exitCode !== null, at("log"));
  const doveadm = (...args: string[]) =>
    run(join(dirname(dirname(dovecot)), "bin", "doveadm"), ["-c", at("dovecot.conf"), ...args]);
  const boxOf = (address: string) => at("mail", address);

  const deliver: MailServers["deliver"] = async (
    to,
    source,
    returnPath = "sender@elsewhere.test",
    folder = "INBOX",
  ) => {
    const name = `${Date.now()}.${randomUUID()}.test`;
    const box = folder === "INBOX" ? boxOf(to) : join(boxOf(to), `.${folder}`);
    for (const part of ["", "tmp", "new", "cur"]) {
      const path = join(box, part);
      await mkdir(path, { recursive: true });
      if (owner !== null) await chown(path, owner.uid, owner.gid);
    }
    const draft = join(box, "tmp", name);
    await writeFile(draft, Buffer.concat([Buffer.from(`Return-Path: <${returnPath}>\r\n`), Buffer.from(source)]));
    if (owner !== null) await chown(draft, owner.uid, owner.gid);
    await rename(draft, join(box, "new", name));
  };

  const sent: MailServers["sent"] = [];
  const smtp = new SMTPServer({
    secure: true,
    key,
    cert,
    authMethods: ["PLAIN", "LOGIN"],
    logger: false,
    onAuth({ username = "", password }, _session, done) {
      if (passwords.get(username) === password) return done(null, { user: username });
      done(answer(535, "5.7.8 Authentication failed"));
    },
    onRcptTo(_address, _session, done) {
      const next = scripted[0];
      if (next?.kind !== "refuse-recipient") return done();
      scripted.shift();
      done(answer(next.code, next.text));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const next = scripted.shift();
        if (next?.kind === "refuse-letter") return done(answer(next.code, next.text));
        const source = Buffer.concat(chunks);
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : "";
        for (const { address: to } of session.envelope.rcptTo) {
          sent.push({ from, to, source });
          if (passwords.has(to)) await deliver(to, source, from);
        }
        if (next?.kind === "reset-after-data") return resetAll();
        done();
      });
    },
    onMailFrom(_address, _session, done) {
      if (scripted[0]?.kind !== "reset-before-data") return done();
      scripted.shift();
      resetAll();
    },
  });
  // A client that disconnects in the middle is not a fault of the server.
  smtp.on("error", () => {});
  const sockets = new Set<{ destroy(): void }>();
  smtp.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const resetAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  let renumbered = 0;

  return {
    imap: `imaps://127.0.0.1:${imapPort}`,
    smtp: `smtps://127.0.0.1:${smtpPort}`,
    imapPort,
    certificate: at("cert.pem"),
    sent,
    async setPassword(address, password) {
      passwords.set(address, password);
      await writePasswords();
      // Dovecot looks at the file once a second.
      const isKnown = () => doveadm("auth", "test", address, password).catch(() => null);
      while ((await isKnown()) === null) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    deliver,
    script: (...behaviours) => scripted.push(...behaviours),
    async kick(address) {
      await doveadm("kick", address);
    },
    async renumber(address) {
      const validity = String(2_000_000_000 + ++renumbered);
      await doveadm("mailbox", "update", "--uid-validity", validity, "-u", address, "INBOX");
    },
    async lettersIn(address, name) {
      const { stdout } = await doveadm("-f", "flow", "fetch", "-u", address, "uid", "mailbox", name, "all");
      const letters: ParsedMail[] = [];
      for (const [, uid] of stdout.matchAll(/uid=(\d+)/g)) {
        const one = await doveadm("fetch", "-u", address, "text", "mailbox", name, "uid", uid!);
        letters.push(await simpleParser(one.stdout.replace(/^text:\n/, "")));
      }
      return letters;
    },
    async close() {
      setDefaultCACertificates(trusted);
      process.off("exit", leave);
      resetAll();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      daemon.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const answer = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

/** Dovecot runs as the user who runs the tests; root hands the mailboxes to a user with fewer rights, as dovecot demands. */
function dovecotConf(folder: string, port: number, owner: Ids | null): string {
  const me = process.env.USER ?? process.env.LOGNAME ?? "";
  const unprivileged =
    owner === null
      ? `default_login_user = ${me}\ndefault_internal_user = ${me}\nservice imap-login {\n  chroot =\n}\nservice anvil {\n  chroot =\n}\n`
      : "";
  const ids =
    owner === null ? `uid=${process.getuid!()} gid=${process.getgid!()}` : `uid=${owner.uid} gid=${owner.gid}`;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
mail_location = maildir:${folder}/mail/%u
mail_fsync = never
# A change that inotify does not tell of, as when other runs have taken all its instances, is seen before a test gives up.
mailbox_idle_check_interval = 1 secs
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = ${ids} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
}
# Who has mistyped a password is answered at once, and the next one too.
auth_failure_delay = 0
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
${unprivileged}`;
}

interface Ids {
  uid: number;
  gid: number;
}

async function idsOf(user: string): Promise<Ids> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, user])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

async function reachable(port: number, isGone: () => boolean, log: string): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until && !isGone(); ) {
    const socket = connect(port, "127.0.0.1");
    // `once` waits for «connect», and rejects with the error of «error».
    const reached = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (reached) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`dovecot: ${await readFile(log, "utf8").catch(() => "")}`);
}
