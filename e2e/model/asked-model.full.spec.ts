// A model behind the OpenAI protocol writes the test chat's answers, or fails to.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { onOwnServer } from "../servers/demo-data.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";

type Model = { server: Server; requests: string[] };

/** A model behind the OpenAI protocol whose answer depends on the question's last word. */
async function startModel(): Promise<Model> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST") return refuse(response, 404);
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const question = messages.at(-1)!.content;
    requests.push(question);
    if (question.includes("сломайся")) return refuse(response, 500);
    if (question.includes("подожди")) return refuse(response, 429, { "retry-after": "120" });
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const word of ["Ответ ", "модели: ", "всё ", "хорошо"]) {
      response.write(`data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content: word } }] })}\n\n`);
      if (question.includes("оборвись") && word === "модели: ") return response.destroy();
    }
    response.write(
      `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`,
    );
    return response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, requests };
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message: "no", type: "test" } }));
}

/** A server of its own whose twins ask the model above. */
const test = base.extend<{ requests: string[] }, { model: Model; modelUrl: string }>({
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      const model = await startModel();
      await use(model);
      model.server.closeAllConnections();
      model.server.close();
    },
    { scope: "worker" },
  ],
  modelUrl: [
    async ({ model }, use) => {
      const { port } = model.server.address() as AddressInfo;
      const environment = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: "test" };
      await onOwnServer(environment, ({ url }) => use(url));
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ modelUrl }, use) => use(modelUrl),
});

// One worker, one server.
test.describe.configure({ mode: "default" });

// Chromium reports the 502 on its own; the test checks that the page shows it.
test.use({ allowedConsoleErrors: [/status of 502/] });

async function openChat(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByRole("button", { name: "Тестовый вход" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/twins");
  await page.getByRole("button", { name: "Тест чат" }).first().click();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Сообщение" }).fill(text);
  await page.keyboard.press("Enter");
}

test("a model's answer streams into the chat, and is asked with the twin's own material", async ({ page, model }) => {
  await openChat(page);
  await ask(page, "Сколько стоит доставка?");
  await expect(page.getByText("Ответ модели: всё хорошо")).toBeVisible();
  await expect(toast(page).getByText("Ответ получен!")).toBeVisible();
  expect(model.requests.at(-1)).toContain("Сколько стоит доставка?");
});

for (const [failure, question] of [
  ["fails", "Пожалуйста, сломайся"],
  ["asks to wait", "Пожалуйста, подожди"],
  ["breaks off", "Пожалуйста, оборвись"],
] as const) {
  test(`a model that ${failure} is reported by the specified toast, and the question can be sent again`, async ({
    page,
  }) => {
    await openChat(page);
    await ask(page, question);
    await expect(toast(page).getByText("Ошибка генерации")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Сообщение" })).toHaveValue(question);
    await expect(page.getByText("Ответ получен!")).toBeHidden();
  });
}
