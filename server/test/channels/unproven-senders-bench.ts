/** A mailbox that answers by itself letters whose senders may be forged. */
import { findDovecot } from "#server/test/servers/mail-servers.ts";

export const PASSWORD = "app password";
export const IVAN = "ivan@client.test";
export const PASSED = "dmarc=pass header.from=client.test";
export const dovecot = findDovecot();
if (dovecot === undefined) console.warn("dovecot не найден: подделанные отправители не проверены");
