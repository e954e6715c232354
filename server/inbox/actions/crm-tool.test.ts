/** A tool of the CRM: a deal is for whom it concerns alone, and only a twin that has a CRM has such a tool. */
import { expect, test } from "vitest";
import type { ToolInput, ToolTrial } from "#contract/actions/tools.ts";
import { amo, botWith, prepareCrm } from "#server/test/crm/crm-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";

prepareCrm();

const crmTool = (more: Partial<ToolInput> = {}, settings: object = {}): ToolInput => ({
  ...{ title: "Состояние сделки", description: "", enabled: true, degree: "itself", changes: false },
  proof: {
    everybody: false,
    channelPhone: "phone",
    asked: [{ label: "Последние 4 цифры телефона", source: "phone", compare: "last4" }],
  },
  examples: ["что со сделкой 1042"],
  settings: { kind: "crm", does: "deal", key: "deal", shown: ["stage", "amount"], ...settings },
  ...more,
});

test("the asker reads a deal that he proves to be his; a wrong proof and an absent deal look alike", async () => {
  const { bot } = await botWith("amocrm");
  const contact = {
    first_name: "Анна",
    custom_fields_values: [{ field_code: "PHONE", values: [{ value: "+7 912 345-67-89" }] }],
  };
  amo.leads.push({ id: 5550, name: "Торт", contactId: 5551, contact, notes: [] });
  const { owner, twinId } = bot;
  const made = await owner.post("/api/tools", { twinId, tool: crmTool() });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json()).toMatchObject({ settings: { system: "amoCRM", host: "company.amocrm.ru" } });
  const tried = async (deal: string, proof1: string) => {
    const sample = [
      { name: "deal", value: deal },
      { name: "proof1", value: proof1 },
    ];
    const answer = await owner.post(`/api/tools/${made.json().id}/try`, { arguments: sample });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<ToolTrial>().call;
  };
  expect(await tried("5550", "6789")).toMatchObject({
    outcome: "done",
    result: [
      { label: "Этап", value: "Готовим заказ" },
      { label: "Сумма", value: "1500" },
    ],
  });
  expect((await tried("5550", "0000")).outcome).toBe("unproven");
  expect((await tried("777777", "6789")).outcome).toBe("unproven");

  const note = crmTool({ title: "Заметка", degree: "asks", changes: true }, { does: "note" });
  expect((await owner.post("/api/tools", { twinId, tool: note })).statusCode).toBe(201);
  for (const impossible of [
    crmTool({}, { key: "phone" }),
    crmTool({ changes: true, degree: "asks" }),
    { ...note, changes: false, degree: "itself" },
  ])
    expect((await owner.post("/api/tools", { twinId, tool: impossible })).statusCode).toBe(400);
  const other = await buildTwin(owner);
  const refused = await owner.post("/api/tools", { twinId: other, tool: crmTool() });
  expect([refused.statusCode, refused.json().code]).toEqual([404, "crm_not_found"]);
});
