/** Real mail servers and an app that receives from them, for the tests of one file. */
import { afterAll, beforeAll } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { findDovecot, type MailServers, startMailServers } from "#server/test/servers/mail-servers.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export const dovecot = findDovecot();
if (dovecot === undefined) console.warn("dovecot не найден: почта на настоящем сервере не проверена");

export let mail: MailServers;
export let t: TestApp;

/** The password of every twin's mailbox. */
export const PASSWORD = "app password";

const addressOf = (at: number) => `ann${at}@mail.test`;
export const twinMailboxes = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [addressOf(at), PASSWORD]));

let used = 0;
/** The address of a twin's mailbox that no test has used before. */
export const unusedMailbox = () => addressOf(used++);

/** Opens the servers for the suite that calls this, which is skipped without dovecot, and closes them after it. */
export function prepareMail(passwords: Record<string, string>): void {
  let supervisor: Supervisor | undefined;
  beforeAll(async () => {
    // The files of one worker share this module, and each has new mailboxes.
    used = 0;
    mail = await startMailServers(dovecot!, passwords);
    t = await testApp({ emailServers: mail });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor?.stop();
    await t?.close();
    await mail?.close();
  });
}
