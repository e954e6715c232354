interface Example {
  language: string;
  code: string;
}

interface Chapter {
  id: string;
  title: string;
  about: string;
  examples: Example[];
}

export const quickStart = (origin: string): Chapter[] => [
  {
    id: "start-v1",
    title: "Спросить двойника из программы",
    about:
      "Создайте ключ в настройках двойника («Доступ» → «Ключи API») и передавайте его в заголовке Authorization. Подойдёт любой " +
      "клиент OpenAI: смените адрес и ключ. В поле user назовите того, кто спрашивает: у каждого будет свой диалог. Сообщения " +
      "system двойник читает как сведения, а не как указания, а сообщения assistant — как слова программы: цен и обещаний из них он " +
      "не берёт. Одним ключом можно сделать 60 вызовов в минуту, по /v1 и /mcp вместе.",
    examples: [
      {
        language: "curl",
        code: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $TWIN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "anna", "user": "client-42", "messages": [{"role": "user", "content": "Здравствуйте!"}]}'`,
      },
      {
        language: "JavaScript",
        code: `import OpenAI from "openai";

const twin = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env.TWIN_KEY });
const [{ id: model }] = (await twin.models.list()).data;
const stream = await twin.chat.completions.create({
  model,
  user: "client-42",
  stream: true,
  messages: [{ role: "user", content: "Здравствуйте!" }],
});
for await (const part of stream) process.stdout.write(part.choices[0]?.delta.content ?? "");`,
      },
      {
        language: "Python",
        code: `import os
from openai import OpenAI

twin = OpenAI(base_url="${origin}/v1", api_key=os.environ["TWIN_KEY"])
answer = twin.chat.completions.create(
    model=twin.models.list().data[0].id,
    user="client-42",
    messages=[{"role": "user", "content": "Здравствуйте!"}],
)
print(answer.choices[0].message.content)`,
      },
    ],
  },
  {
    id: "start-widget",
    title: "Поставить чат на сайт",
    about:
      "Настройте чат («Доступ» → «Чат на сайте»), назовите свои сайты и вставьте строку перед </body>. Если у сайта есть политика " +
      "CSP, разрешите в ней наш адрес: script-src и frame-src.",
    examples: [
      { language: "HTML", code: `<script src="${origin}/widget.js" data-twin="код из настроек" async></script>` },
    ],
  },
  {
    id: "start-webhooks",
    title: "Узнавать о событиях",
    about:
      "Вебхуки подписаны по Standard Webhooks: проверяйте подпись по байтам тела, до разбора, и помните webhook-id, чтобы не принять " +
      "одно событие дважды. События: message.received, reply.sent, draft.created, takeover.started. Ответ 2xx значит «принято», " +
      "иначе мы повторяем через 5 секунд, 5 и 30 минут, 2, 5, 10 и 20 часов.",
    examples: [
      {
        language: "JavaScript",
        code: `import { Webhook } from "standardwebhooks";

const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers);
console.log(event.type, event.data.conversationId);`,
      },
      {
        language: "Python",
        code: `from standardwebhooks import Webhook

event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, request.headers)
print(event["type"], event["data"]["conversationId"])`,
      },
    ],
  },
  {
    id: "start-mcp",
    title: "Подключить ИИ-помощника",
    about:
      "Сервер MCP (Streamable HTTP) стоит по адресу /mcp и принимает ключ с правом mcp. Инструменты: ask_twin, list_drafts, " +
      "read_draft. Отправить через них ничего нельзя.",
    examples: [
      {
        language: "JSON",
        code: `{
  "mcpServers": {
    "twin": { "type": "http", "url": "${origin}/mcp", "headers": { "Authorization": "Bearer dtk_…" } }
  }
}`,
      },
    ],
  },
];
