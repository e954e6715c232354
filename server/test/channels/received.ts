/** An integration that receives what a test hands it, without a server of its platform. */
import { randomUUID } from "node:crypto";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import type { ChannelPlatform } from "#contract/platforms.ts";
import type { Reported } from "#server/inbox/channel-protocol/channel.ts";
import { credentialsOf, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { storeDeliveries } from "#server/inbox/incoming/inbox.ts";
import { receiveAll } from "#server/inbox/receiving/receive.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { buildTwin } from "../factories/build-twin.ts";
import type { TestApp, TestClient } from "../test-app.ts";

export interface ReceivingIntegration {
  ann: TestClient;
  id: string;
  receive(...reported: (Reported | undefined)[]): Promise<void>;
}

/** Nothing can be sent by it, so answers wait or fail. */
export async function receivingIntegration(
  t: TestApp,
  platform: ChannelPlatform,
  autonomy: Autonomy,
): Promise<ReceivingIntegration> {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const { organizationId, userId } = ann.caller;
  const id = randomUUID();
  const place = { id, orgId: organizationId };
  const key = credentialsOf({ platform, apiKey: "1:key", settings: {} } as never);
  const credentials = sealCredentials(t.services.vault, place, key);
  const row = { ...place, twinId, platform, autonomy, credentials };
  await asTenant(t.services.db, ann.caller, (tx) => tx.insert(integrations).values(row));
  const receiver = { integration: { id, organizationId, userId }, ownerChat: undefined };
  const deps = { ...t.services, storeDelivery: storeDeliveries(t.services) };
  return {
    ann,
    id,
    receive: (...reported) =>
      receiveAll(
        deps,
        receiver,
        reported.filter((each) => each !== undefined),
      ),
  };
}
