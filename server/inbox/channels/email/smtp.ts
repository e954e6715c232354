/** Sends letters, each with its own login. */
import { once } from "node:events";
import { Readable } from "node:stream";
import type { NodemailerError } from "nodemailer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import type { AnswerLetter } from "./answer.ts";
import { type Login, placeOf, refusedLogin } from "./login.ts";
import type { MailServer } from "./servers.ts";

const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;
/** A server that delays unknown senders (greylisting) accepts them after some minutes. */
const GREYLIST_MS = 5 * 60_000;

/** @throws ChannelTrouble */
export async function verifySmtp(login: Login): Promise<void> {
  const connection = await openSmtp(login, CONNECT_MS);
  connection.quit();
}

/** Sends a letter. Never throws. @param ending when aborted, the letter is not sent any more */
export async function sendLetter(
  login: Login,
  letter: AnswerLetter,
  ending: AbortSignal = new AbortController().signal,
): Promise<{ ok: true } | SendFailure> {
  let connection: SMTPConnection;
  try {
    connection = await openUntil(ending, login);
  } catch (error) {
    const trouble = error instanceof ChannelTrouble ? error : new ChannelTrouble("away", AWAY);
    const { kind, message, afterMs } = trouble;
    return kind === "auth"
      ? { ok: false, kind, message }
      : { ok: false, kind: "retry", afterMs: afterMs ?? 0, message };
  }
  // The server asks for the letter after it has accepted the addresses; from then on it may have the letter.
  let handed = false;
  const source = Readable.from(
    (function* () {
      handed = true;
      yield letter.source;
    })(),
  );
  const { from, to } = letter;
  const envelope = { from, to: [to], size: letter.source.length };
  const { promise, resolve } = Promise.withResolvers<NodemailerError | null>();
  connection.on("error", resolve);
  // An abort counts like an error without a response of the server, such as a broken connection.
  ending.addEventListener("abort", () => resolve(new Error(AWAY)), { once: true });
  connection.send(envelope, source, (error) => resolve(error));
  const error = await promise;
  connection.close();
  return error === null ? { ok: true } : sendFailure(error, handed);
}

const AWAY = "Почтовый сервер для отправки недоступен";

/** @throws ChannelTrouble, also when the signal aborts; a connection that opens later is closed again */
async function openUntil(ending: AbortSignal, login: Login): Promise<SMTPConnection> {
  const opening = openSmtp(login, SILENCE_MS);
  const ended = new Promise<null>((resolve) => {
    if (ending.aborted) resolve(null);
    else ending.addEventListener("abort", () => resolve(null), { once: true });
  });
  const connection = await Promise.race([opening, ended]);
  if (connection !== null && !ending.aborted) return connection;
  opening.then(
    (late) => late.close(),
    () => {},
  );
  throw new ChannelTrouble("away", AWAY);
}

function sendFailure(error: NodemailerError, handed: boolean): SendFailure {
  const { responseCode: code, command, response = "" } = error;
  if (code === undefined) {
    if (!handed) return { ok: false, kind: "retry", afterMs: 5_000, message: AWAY };
    return { ok: false, kind: "unknown", message: "Связь с почтовым сервером прервалась: ушло ли письмо, неизвестно" };
  }
  if (code < 500) {
    return { ok: false, kind: "retry", afterMs: GREYLIST_MS, message: "Почтовый сервер просит повторить позже" };
  }
  if (code === 530 || code === 535)
    return { ok: false, kind: "auth", message: "Почта больше не пускает с этим паролем" };
  const unknown = /\b5\.1\.[0-36]\b|user unknown|no such user|does not exist|not found/i.test(response);
  if (command === "RCPT TO" && (unknown || code === 553)) {
    return { ok: false, kind: "invalid", message: "Такого адреса нет: письмо не принято" };
  }
  if (code === 552) return { ok: false, kind: "invalid", message: "Ящик получателя переполнен или письмо велико" };
  return { ok: false, kind: "blocked", message: "Почтовый сервер отклонил письмо" };
}

/** Signs in to the first reachable server. @throws ChannelTrouble */
async function openSmtp(login: Login, silenceMs: number): Promise<SMTPConnection> {
  for (const server of login.servers.smtp) {
    const connection = await connect(server, login, silenceMs);
    if (connection === null) continue;
    await signIn(connection, login);
    return connection;
  }
  throw new ChannelTrouble("away", AWAY);
}

/** Returns null when the server is unreachable. @throws ChannelTrouble for a host that must not be connected to */
async function connect(server: MailServer, login: Login, silenceMs: number): Promise<SMTPConnection | null> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const place = await placeOf(server, login);
  const through = login.proxy && (await login.proxy.connect({ host: place.host, port: server.port }).catch(() => null));
  if (login.proxy !== null && through === null) return null;
  const connection = new Connection({
    ...place,
    port: server.port,
    secure: server.secure,
    requireTLS: true,
    tls: { rejectUnauthorized: true },
    ...(through && { connection: through }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: silenceMs,
    // The greeting hides this machine's name from the server.
    name: "[127.0.0.1]",
  });
  const failed = once(connection, "error");
  failed.catch(() => {});
  const connected = new Promise<boolean>((resolve) => connection.connect((error) => resolve(error === undefined)));
  const reached = await Promise.race([connected, failed.then(() => false)]);
  if (!reached) connection.close();
  return reached ? connection : null;
}

async function signIn(connection: SMTPConnection, login: Login): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<NodemailerError | null>();
  connection.on("error", resolve);
  const { user, password: pass } = login;
  connection.login({ user, pass, credentials: { user, pass } }, (error) => resolve(error));
  const error = await promise;
  connection.off("error", resolve);
  if (error === null) return;
  connection.close();
  if (error.code === "EAUTH" && (error.responseCode ?? 500) >= 500) throw refusedLogin(login, "SMTP");
  throw new ChannelTrouble("away", AWAY);
}
