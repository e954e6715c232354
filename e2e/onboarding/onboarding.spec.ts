// Section 2, Onboarding; sections 4 and 5 for its first step. Decision 5: the later steps lead on.
import type { Page } from "@playwright/test";
import { buildMessage, buildReply } from "../factories/conversation.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { hangs, json, plain } from "../support/answers.ts";
import { test } from "../support/fixtures.ts";
import { button, field, heading, link, one, specify, text, texts } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const reply = buildReply();
const steps = (page: Page) => page.getByRole("list", { name: "Шаги знакомства" }).getByRole("listitem");
const english = (words: string) => one(words, (page: Page) => page.locator("[lang=en]").getByText(words));
const goOn = async (page: Page) => {
  await page.getByLabel("Имя двойника").fill("  Анна ");
  await page.getByRole("button", { name: "Продолжить" }).click();
};
const at = (step: number) => `/onboarding?twin=${uuid(1)}&step=${step}`;
const mine = {
  "GET /api/digital-twins": json([buildTwin(1, { name: "Анна" })]),
  [`GET /api/digital-twins/${uuid(1)}`]: json(buildTwin(1, { name: "Анна" })),
  [`GET /api/digital-twins/${uuid(1)}/training`]: json(buildTraining()),
};

specify("2. Onboarding (/onboarding), step 1", {
  at: "/onboarding",
  inSight: true,
  shows: [
    texts("four steps", steps, [/Импорт данных/, /Анализ/, /Первый ответ/, /Обратная связь/]),
    field("Имя двойника"),
    texts("sources", (page) => page.getByRole("group", { name: "Источник данных" }).locator("label"), [
      /Telegram/,
      /Email/,
      /WhatsApp/,
    ]),
    button("Выбрать документы"),
    button("Вставить текст"),
    text(/Переписку видите только вы/),
    button("Продолжить", { disabled: true }),
    link("Пропустить пока", "/dashboard"),
  ],
  acts: [
    {
      name: "5. a blank name is no name",
      does: (page) => page.getByLabel("Имя двойника").fill("   "),
      shows: [button("Продолжить", { disabled: true })],
    },
    {
      name: "4. «Продолжить» creates the twin and leads to step 2",
      here: true,
      answers: { ...mine, "POST /api/digital-twins": json(buildTwin(1), 201) },
      does: goOn,
      sends: { call: "POST /api/digital-twins", body: { name: "Анна", status: "training" } },
      shows: [heading("Анализ")],
      leadsTo: new RegExp(`twin=${uuid(1)}.*step=2`),
    },
    {
      name: "busy",
      full: true,
      answers: { "POST /api/digital-twins": hangs },
      does: goOn,
      shows: [button("Создание...", { disabled: true })],
    },
  ],
});

specify("2. Onboarding, step 2: English progress text", {
  at: at(2),
  inSight: true,
  answers: mine,
  shows: [
    heading("Анализ"),
    text(/прочитал вашу переписку/),
    english("Communication style analyzed, the first answer is next..."),
    button("Продолжить"),
  ],
  states: [
    {
      name: "it learns",
      answers: {
        [`GET /api/digital-twins/${uuid(1)}/training`]: json(
          buildTraining({
            status: "training",
            running: true,
            progress: 0.4,
            stage: "Читаю переписку",
          }),
        ),
      },
      shows: [english("Analyzing your communication style..."), text("Читаю переписку")],
    },
    {
      name: "it has learnt, and not enough",
      full: true,
      answers: {
        [`GET /api/digital-twins/${uuid(1)}/training`]: json(buildTraining({ status: "training", messages: 2 })),
      },
      shows: [english("Waiting for more messages..."), text(/сообщений пока мало/)],
    },
  ],
  acts: [
    {
      name: "it leads to step 3",
      does: (page) => page.getByRole("button", { name: "Продолжить" }).click(),
      shows: [heading("Первый ответ")],
      leadsTo: /step=3/,
    },
  ],
});

const FIRST = `POST /api/digital-twins/${uuid(1)}/first-answer`;

specify("2. Onboarding, step 3", {
  at: at(3),
  inSight: true,
  answers: {
    ...mine,
    [FIRST]: json({
      pair: {
        id: "5",
        incoming: "Когда доставка?",
        ownerReply: "Завтра к вечеру",
        contactName: "Мария",
        repliedAt: NOW,
      },
      reply,
      more: false,
      taught: false,
    }),
  },
  shows: [
    heading("Первый ответ"),
    english("Waiting for your opinion..."),
    text("Когда доставка?"),
    text("Завтра к вечеру"),
    text(reply.response),
  ],
  states: [
    {
      name: "waiting",
      answers: { [FIRST]: hangs },
      shows: [english("Preparing the first answer...")],
    },
    {
      name: "a twin without letters waits for a question",
      full: true,
      answers: { [FIRST]: json({ pair: null, reply: null, more: false, taught: false }) },
      shows: [english("Waiting for your question..."), field("Ваш вопрос")],
    },
  ],
  acts: [
    {
      name: "8. the AI call fails in its own words",
      answers: {
        [FIRST]: json({ pair: null, reply: null, more: false, taught: false }),
        "POST /api/ai-generate": plain(502, "нет модели"),
      },
      does: async (page) => {
        await page.getByLabel("Ваш вопрос").fill("Когда доставка?");
        await page.getByRole("button", { name: "Спросить" }).click();
      },
      toast: ["Ошибка генерации", "HTTP error! status: 502, message: нет модели"],
    },
  ],
});

specify("2. Onboarding, step 4", {
  at: `${at(4)}&talk=${reply.conversationId}&reply=8`,
  inSight: true,
  answers: {
    ...mine,
    [`GET /api/conversations/${reply.conversationId}/messages`]: json([
      buildMessage(7, { content: "Когда доставка?" }),
      buildMessage(8, { role: "assistant", content: reply.response }),
    ]),
  },
  shows: [
    heading("Обратная связь"),
    english("Waiting for your feedback..."),
    link("Подключить Telegram", `/add-integration?twin=${uuid(1)}&platform=telegram`),
    link("Поставить чат на сайт", `/twin-access/${uuid(1)}?tab=widget`),
    button("Отправить отзыв"),
  ],
});
