/** A bot whose key is replaced. */
import { afterAll, beforeAll } from "vitest";
import { type BotBench, botBench, type ConnectedBot } from "#server/test/channels/bot-bench.ts";
import { startWhatsappServer, type WhatsappServer } from "#server/test/servers/whatsapp-server.ts";

export let bench: BotBench;
let whatsapp: WhatsappServer;

/** A further token that BotFather gives out for the same bot. */
export const nextToken = ({ token }: ConnectedBot) => `${token.split(":")[0]}:second-token-of-a-bot-0123456789abcdefgh`;
export const replace = ({ owner, integration }: ConnectedBot, apiKey: string, more: object = {}) =>
  owner.put(`/api/integrations/${integration.id}/credentials`, { platform: "telegram", apiKey, ...more });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareReplacedCredentials(): void {
  beforeAll(async () => {
    whatsapp = await startWhatsappServer();
    bench = await botBench({ whatsappGraphUrl: whatsapp.root });
  });
  afterAll(async () => {
    await bench.close();
    await whatsapp.close();
  });
}
