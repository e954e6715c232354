/** Gives the demo's shop a table of invented orders, so that a newcomer asks «где мой заказ 1042?» and sees the call and its answer. */
import { and, eq, sql } from "drizzle-orm";
import type { ToolInput } from "#contract/actions/tools.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import { listTwins } from "#server/accounts/twins/twins.ts";
import { loadDemoContent, loadDemoOrders } from "#server/demo/content/demo-content.ts";
import { readTable } from "#server/inbox/actions/tables.ts";
import type { ToolDeps } from "#server/inbox/actions/tool-deps.ts";
import { createTool } from "#server/inbox/actions/tools.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import type { Caller } from "#server/platform/http/route.ts";

const SEEDED = "tools";

/** Runs after the start, once; what the demo user deletes or changes afterwards stays so. */
export async function seedDemoTools(deps: ToolDeps): Promise<void> {
  const { db } = deps;
  const tenant = await ensureDemoUser(db);
  const { organizationId, userId } = tenant;
  const [seeded] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.orgId, organizationId),
        eq(auditLog.action, "demo-seeded"),
        sql`${auditLog.detail} ->> 'name' = ${SEEDED}`,
      ),
    )
    .limit(1);
  if (seeded !== undefined) return;
  const caller: Caller = { ...tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "demo" };
  const shop = (await loadDemoContent()).find(({ slug }) => slug === "shop-support")!;
  const twin = (await listTwins(db, caller)).find(({ name }) => name === shop.name);
  if (twin !== undefined) {
    const content = (await loadDemoOrders()).toString("base64");
    const table = await readTable(deps, caller, { twinId: twin.id, name: "Заказы магазина.csv", content });
    // What it shows of the tool nobody sees.
    await createTool({ ...deps, proposesCalls: async () => false }, caller, {
      twinId: twin.id,
      tool: orderStatus(table.id),
    });
  }
  await audit(db, { action: "demo-seeded", organizationId, userId, detail: { name: SEEDED } });
}

/** The number alone is enough: the columns that are shown hold nothing of a person. */
const orderStatus = (tableId: string): ToolInput => ({
  title: "Статус заказа",
  description: "Где заказ и что с ним будет дальше, по номеру заказа",
  ...{ enabled: true, degree: "itself", changes: false },
  proof: { everybody: true, channelPhone: null, asked: [] },
  examples: ["где мой заказ 1042", "статус заказа 1042", "что с заказом 1042", "когда придёт заказ 1042"],
  settings: { kind: "table", tableId, keyColumn: "Номер заказа", shown: ["Статус", "Что дальше"] },
});
