// Section 2, Create twin; sections 5, 7 and 8 for its form.
import { buildTwin } from "../factories/twin.ts";
import { answering, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { button, field, link, specify, text } from "../support/specify.ts";
import { toast } from "../support/toast.ts";
import { createTwin, fillTwinForm, twinFields } from "../support/twin-form.ts";
import { PHONE } from "../support/viewports.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

specify("2. Create twin (/create-twin)", {
  at: "/create-twin",
  inSight: true,
  shows: [
    ...["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"].map((name) => field(name)),
    button("Создать Агента"),
    button("Очистить"),
    // The hint box's next steps.
    ...(
      [
        [/Загрузите документы для обучения/, "/train-ai"],
        [/Telegram, WhatsApp, Email/, "/add-integration"],
        [/Проверьте двойника в диалогах/, "/conversations"],
        [/Настройте CRM интеграцию/, "/crm"],
      ] as const
    ).map(([name, href]) => link(name, href)),
  ],
  acts: [
    {
      name: "5. nothing is sent before the fields are right",
      does: (page) => page.getByRole("button", { name: "Создать Агента" }).click(),
      shows: [
        text("Имя агента обязательно"),
        text("Описание должно содержать минимум 10 символов"),
        text("Описание личности должно быть подробным"),
        text("Опишите стиль общения"),
        text("Укажите область знаний"),
      ],
    },
  ],
});

specify("7. Create twin", {
  at: "/create-twin",
  answers: named,
  shows: [],
  acts: [
    {
      name: "created",
      answers: { "POST /api/digital-twins": json({}) },
      does: (page) => createTwin(page),
      toast: ["Цифровой двойник создан!"],
    },
  ],
});

test.describe("creating a twin", () => {
  test("creates one twin for two presses", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let sent = 0;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent += 1;
        await held.promise;
        return json(buildTwin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fillTwinForm(page);
    await page.getByRole("button", { name: "Создать Агента" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.resolve();
    await expect(toast(page)).toContainText("Цифровой двойник создан!");
    expect(sent).toBe(1);
  });

  test("sends the fields, clears the form and stays; a draft survives a reload", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent.push(request.postDataJSON());
        if (failing) return fails(409, "Лимит двойников исчерпан")(route, request);
        await held.promise;
        return json(buildTwin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fillTwinForm(page);
    await page.reload();
    await expect(page.getByLabel("Личность")).toHaveValue(twinFields.Личность);
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(toast(page)).toContainText("Ошибка создания");
    await expect(toast(page)).toContainText("Лимит двойников исчерпан");
    failing = false;
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(page.getByRole("button", { name: "Создание..." })).toBeDisabled();
    held.resolve();
    await expect(toast(page)).toContainText("Цифровой двойник создан!");
    await expect(toast(page)).toContainText("Агент успешно создан и готов к обучению");
    for (const label of Object.keys(twinFields)) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
    await expect(page).toHaveURL("/create-twin");
    const [name, description, personality, communicationStyle, knowledgeArea] = Object.values(twinFields);
    const expected = { name, description, personality, communicationStyle, knowledgeArea, status: "training" };
    expect(sent[1]).toEqual(expected);

    await fillTwinForm(page);
    await page.getByRole("button", { name: "Очистить" }).click();
    await expect(page.getByLabel("Имя двойника")).toHaveValue("");
    await page.reload();
    await expect(page.getByLabel("Описание")).toHaveValue("");
  });
});

test("the rest is suggested from the description, what was typed stays, the choice is followed, and all of it can be undone", async ({
  page,
}) => {
  const sent: unknown[] = [];
  await answering(page, {
    "POST /api/digital-twins": (route, request) => {
      sent.push(request.postDataJSON());
      return json(buildTwin(1), 201)(route, request);
    },
  });
  await page.goto("/create-twin");
  // The examples in empty fields are of the purpose; the form of address is said to be another field's.
  const purpose = page.getByRole("group", { name: "Для чего двойник" });
  await expect(purpose).toHaveAccessibleDescription(/^«Ты» или «вы» от\sэтого не\sзависит/);
  const described = page.getByLabel("Описание");
  await expect(described).toHaveAttribute("placeholder", /клиентам/);
  await purpose.getByRole("radio", { name: /Для друзей/ }).check();
  await expect(described).toHaveAttribute("placeholder", /друзьям/);
  await expect(page.getByLabel("Стиль общения")).toHaveAttribute("placeholder", /«ты»/);
  await purpose.getByRole("radio", { name: /Бизнес/ }).check();
  const suggest = page.getByRole("button", { name: "Предложить остальное" });
  await suggest.click();
  await expect(page.getByText("Описание должно содержать минимум 10 символов")).toBeVisible();
  await page.getByLabel("Описание").fill("Отвечает клиентам чайной лавки: цены, доставка");
  await page.getByLabel("Личность").fill("Знает о чае всё и говорит о нём часами");
  await suggest.click();
  const style = page.getByLabel("Стиль общения");
  await expect(style).toHaveValue(/^На «вы»/);
  await expect(page.getByLabel("Область знаний")).toHaveValue("Цены, доставка");
  await page.getByRole("radio", { name: /Для друзей/ }).check();
  await expect(style).toHaveValue(/^На «ты»/);
  await page.getByLabel("Область знаний").fill("Чай и посуда");
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(style).toHaveValue("");
  await expect(page.getByLabel("Личность")).toHaveValue("Знает о чае всё и говорит о нём часами");
  await expect(page.getByLabel("Область знаний")).toHaveValue("Чай и посуда");
  // The choice stays when the suggested texts go, and is sent with the twin.
  await expect(page.getByRole("radio", { name: /Для друзей/ })).toBeChecked();
  await page.getByLabel("Имя двойника").fill("Анна");
  await style.fill("Просто и на «ты»");
  await page.getByRole("button", { name: "Создать Агента" }).click();
  await expect.poll(() => sent).toMatchObject([{ name: "Анна", purpose: "friends" }]);
});

test("on a phone, after a twin is created, what comes next is in sight and has the focus", async ({ page }) => {
  await answering(page, { "POST /api/digital-twins": json(buildTwin(1), 201) });
  await page.setViewportSize(PHONE);
  await page.goto("/create-twin");
  await createTwin(page);
  const news = page.getByText("Двойник «Двойник 1» создан.");
  await expect(news).toBeFocused();
  await expect(page.getByRole("heading", { name: "Следующие шаги" })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Загрузите документы для обучения" })).toBeInViewport();
});
