/** A mailbox on local mail servers. */
import { WAIT } from "#server/test/channels/channel-journey.ts";
import { findDovecot } from "#server/test/servers/mail-servers.ts";

/** Polling is slow, because each look starts a program. */
export const SLOWLY = { ...WAIT, interval: 300 };
export const dovecot = findDovecot();
if (dovecot === undefined) console.warn("dovecot не найден: почта на настоящем сервере не проверена");
