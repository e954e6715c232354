/**
 * Local platforms for browser tests, which know addresses only: Slack, Discord, MAX, VK, WhatsApp and, where there is a dovecot, mail. Says
 * where they are as a line of JSON, amoCRM among them. A line { platform, text } that comes in is what somebody writes there; {} asks for what the
 * platforms have delivered. Ends when its input ends.
 */
import { createInterface } from "node:readline";
import { simpleParser } from "mailparser";
import { AMOCRM_APP, startAmocrmServer } from "../servers/amocrm-server.ts";
import { startDiscordServer } from "../servers/discord-server.ts";
import { findDovecot, startMailServers } from "../servers/mail-servers.ts";
import { maxToken, startMaxServer } from "../servers/max-server.ts";
import { slackMessage, startSlackServer } from "../servers/slack-server.ts";
import { startVkServer } from "../servers/vk-server.ts";
import { startWhatsappServer } from "../servers/whatsapp-server.ts";

const MAILBOX = "anna@mail.test";
const PERSON = "ivan@mail.test";
const PASSWORD = "app password";
/** The community of vkKey(501). */
const VK_COMMUNITY = 501;

const dovecot = findDovecot();
const [amo, slack, discord, max, vk, whatsapp, mail] = await Promise.all([
  startAmocrmServer(),
  startSlackServer(),
  startDiscordServer(),
  startMaxServer(),
  startVkServer(),
  startWhatsappServer(),
  dovecot === undefined ? null : startMailServers(dovecot, { [MAILBOX]: PASSWORD, [PERSON]: PASSWORD }),
]);

const environment = {
  SLACK_API_URL: slack.root,
  DISCORD_API_URL: discord.root,
  MAX_API_URL: max.root,
  VK_API_URL: vk.root,
  WHATSAPP_GRAPH_URL: whatsapp.root,
  AMOCRM_URL: amo.root,
  AMOCRM_CLIENT_ID: AMOCRM_APP.clientId,
  AMOCRM_CLIENT_SECRET: AMOCRM_APP.clientSecret,
  ...(mail === null
    ? {}
    : { EMAIL_IMAP_URL: mail.imap, EMAIL_SMTP_URL: mail.smtp, NODE_EXTRA_CA_CERTS: mail.certificate }),
};
process.stdout.write(`${JSON.stringify({ environment, hasMail: mail !== null })}\n`);

const letter = (text: string) =>
  [`From: Ivan <${PERSON}>`, `To: ${MAILBOX}`, "Message-ID: <1@mail.test>", "Content-Type: text/plain; charset=utf-8"]
    .concat("", text, "")
    .join("\r\n");
const timers: NodeJS.Timeout[] = [];
/** Sent again at growing intervals: a receiver that is not listening yet must not miss it, and one that has it recognises the id. */
function repeatedly(tell: () => unknown, wait = 500): void {
  tell();
  timers.push(setTimeout(() => repeatedly(tell, 2 * wait), wait));
}
const write: Record<string, (text: string) => void> = {
  // Slack keeps what was not fetched.
  slack: (text) => slack.push("1", slackMessage("D1", text)),
  discord(text) {
    const message = discord.say("100", text);
    repeatedly(() => discord.repeat(message));
  },
  max: (text) => void max.say(maxToken(7), 5, text),
  // The queue keeps what was not fetched.
  vk: (text) => vk.say(VK_COMMUNITY, 45, text),
  email: (text) => repeatedly(() => mail?.deliver(MAILBOX, letter(text))),
};
/** What the platforms have delivered, by platform. */
const delivered = async (): Promise<Record<string, string[]>> => ({
  slack: slack.sent.map(({ text }) => text),
  amocrm: amo.leads.map(({ name, notes }) => [name, ...notes].join("\n")),
  max: max.sent.map(({ text }) => text),
  discord: discord.sent.map(({ content }) => content),
  vk: vk.sent.map(({ text }) => text),
  email: await Promise.all((mail?.sent ?? []).map(async ({ source }) => (await simpleParser(source)).text ?? "")),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { platform, text } = JSON.parse(line);
  // What the application at the CRM names as its redirect address.
  if (platform === "amocrm") amo.redirectUrl = text;
  else if (platform === undefined) process.stdout.write(`${JSON.stringify(await delivered())}\n`);
  else write[platform]!(text);
}
for (const timer of timers) clearTimeout(timer);
await Promise.all([
  amo.close(),
  slack.close(),
  discord.close(),
  max.close(),
  vk.close(),
  whatsapp.close(),
  mail?.close(),
]);
process.exit(0);
