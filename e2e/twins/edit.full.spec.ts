// Section 2, Edit twin; sections 5, 7 and 8 for its form, its drafts and the deletion.
// What edit.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, fails, json, listOf, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test.describe("editing a twin", () => {
  // 3. A manner of another shape, as the specification has it, has the form's defaults.
  const known = { ...buildTwin(1), personality: { traits: ["спокойный"] }, communicationStyle: null };

  test("give the twin a public name, shown at once where it has one, sent only when it was changed", async ({
    page,
  }) => {
    const sent: Record<string, unknown>[] = [];
    await answering(page, {
      ...oneTwin(buildTwin(1, { publicName: "Чайная лавка" })),
      [`PUT /api/digital-twins/${uuid(1)}`]: (route, request) => {
        sent.push(request.postDataJSON() ?? {});
        return json(buildTwin(1))(route, request);
      },
    });
    for (const name of ["Чайная лавка", "Полтора чайника", ""]) {
      await page.goto(`/edit-twin/${uuid(1)}`);
      const field = page.getByLabel("Публичное имя", { exact: true });
      await expect(field).toHaveValue("Чайная лавка");
      await field.fill(name);
      await page.getByRole("button", { name: "Сохранить" }).click();
      await expect(toast(page)).toContainText("Агент обновлен!");
    }
    expect(sent.map(({ publicName }) => publicName)).toEqual([undefined, "Полтора чайника", null]);
  });

  test("deletes only after the question is answered with yes", async ({ page }) => {
    let failing = true;
    let calls = 0;
    await answering(page, {
      ...listOf(),
      ...oneTwin(buildTwin(1)),
      [`DELETE /api/digital-twins/${known.id}`]: (route, request) => {
        calls += 1;
        return failing ? fails(403, "Удалять может только владелец")(route, request) : route.fulfill({ status: 204 });
      },
    });
    const questions: string[] = [];
    let yes = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return yes ? dialog.accept() : dialog.dismiss();
    });
    await page.goto(`/edit-twin/${uuid(1)}`);
    const remove = page.getByRole("button", { name: "Удалить двойника" });
    await remove.click();
    expect(calls).toBe(0);
    yes = true;
    await remove.click();
    await expect(toast(page)).toContainText("Ошибка удаления");
    await expect(toast(page)).toContainText("Удалять может только владелец");
    failing = false;
    await remove.click();
    await expect(toast(page)).toContainText("Агент удален");
    await expect(page).toHaveURL("/twins");
    expect(new Set(questions)).toEqual(
      new Set(["Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить."]),
    );
  });
});
