// An answer of several messages is shown as several, when it comes and after a reload.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildTwinInput } from "../factories/twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { callsOf } from "../support/owner.ts";
import { asSuperAdmin } from "../support/super-admin.ts";
import { input, log } from "./parts.ts";

const RECORD = {
  ...{ kind: "remark", messages: ["Да, на связи.", "Чем помочь?"], sources: [], sums: [], open: "", action: "" },
  search: "",
};
const VERDICT = { unsupported: [], fault: "", covers: "all", score: 10 };

test("each message of one answer has a bubble of its own, with one line of acts below", async ({ page }) => {
  const model = createServer(async (request, response) => {
    let sent = "";
    for await (const part of request) sent += String(part);
    const isVerdict = sent.includes('"name":"verdict"');
    const content = JSON.stringify(isVerdict ? VERDICT : RECORD);
    response.writeHead(request.method === "POST" ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => model.once("listening", resolve));
  const { headers, organizationId } = await asSuperAdmin(page);
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const data = { preset: "vllm", baseUrl, model: "m", apiKey: "k", currency: "RUB", enabled: true };
  const { post, put } = callsOf(page, headers);
  await put(`/api/organizations/${organizationId}/remote-model`, data);
  const name = "Двойник нескольких сообщений";
  await post("/api/digital-twins", buildTwinInput({ name }));
  await page.goto("/conversations");
  await page.getByRole("main").getByRole("button", { name: "Начать диалог" }).click();
  await page.getByRole("dialog", { name: "Новый диалог" }).getByRole("button", { name }).click();
  await input(page).fill("Привет, ты на связи сегодня вечером?");
  await input(page).press("Enter");
  const answer = log(page).getByRole("listitem").last();
  const bubbles = answer.locator("div.bg-primary-soft");
  await expect(bubbles).toHaveText([/Да, на связи\.$/, /Чем помочь\?$/]);
  await expect(answer.getByRole("button", { name: "Полезно" })).toHaveCount(1);
  await page.reload();
  await expect(bubbles).toHaveText([/Да, на связи\.$/, /Чем помочь\?$/]);
  model.closeAllConnections();
  model.close();
});
