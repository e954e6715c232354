// /twin-voice/{id}: a voice of one's own — the data, the file, its versions and what each of them brings.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { demoTwin } from "../support/demo-twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { type ApiRequest, type ApiRoute, interceptCalls } from "../support/intercept.ts";
import { figure, measured, region, voice } from "./voice-parts.ts";

test("each version says what it has brought, which one does not work, and what is being measured", async ({ page }) => {
  const { id } = await demoTwin(page);
  const asked: unknown[] = [];
  let measuring = false;
  const answer = (route: ApiRoute, request: ApiRequest) => {
    if (request.url().endsWith("/data")) {
      const headers = { "content-disposition": 'attachment; filename="voice-data-2026-11-23.zip"' };
      return route.fulfill({ headers, contentType: "application/zip", body: "PK" });
    }
    if (request.method() === "POST") {
      asked.push(request.postDataJSON());
      measuring = true;
      return route.fulfill({ status: 202, json: { queued: true } });
    }
    return route.fulfill({
      json: {
        ...{ exchanges: 1843, least: 100, model: "local", baseName: "Qwen3 1.7B", upload: null },
        before: measured({ figure: figure(0.21) }),
        voices: [
          voice(5, { after: measured({ figure: figure(0.24) }) }),
          voice(4, { after: measured({ measuring }) }),
          voice(3, {
            active: true,
            failedAt: "2026-11-22T09:00:00Z",
            after: measured({ failedAt: "2026-11-22T11:00:00Z" }),
          }),
          voice(2, { after: measured({ figure: figure(0.44) }) }),
          voice(6, { forgottenAt: "2026-11-22T12:00:00Z", after: measured({ figure: figure(0.5) }) }),
          voice(7, { otherFile: true }),
          voice(1, { fits: false, baseName: "Gemma 3 270M", after: measured({ figure: figure(0.24) }) }),
        ],
      },
    });
  };
  await interceptCalls(page, answer, `*://*/api/digital-twins/${id}/voice*`);
  await page.goto(`/twin-voice/${id}`);
  const versions = region(page, "Версии почерка");
  await expect(versions).toContainText("С этим почерком двойник отвечает заметно похожее на вас");
  // What another model reached is compared with nothing.
  await expect(versions.getByText("лучше, но разница может быть случайной")).toHaveCount(1);
  await expect(versions).toContainText("модель не смогла использовать этот почерк");
  await expect(versions).toContainText("Последнее измерение не удалось");
  await expect(versions).toContainText("Этот почерк обучен для модели «Gemma 3 270M»");
  await expect(versions).toContainText("До: без почерка, модель Qwen3 1.7B");
  // What was learnt from deleted letters is not heard again, and the owner reads why.
  const forgotten = versions.getByRole("listitem").filter({ hasText: "Версия 6" });
  await expect(forgotten).toContainText(
    /Этот почерк обучен и\sна\sписьмах, которые вы удалили .+, поэтому он выключен/,
  );
  await expect(forgotten).toContainText("обучите новый почерк");
  await expect(forgotten.getByRole("switch")).toBeDisabled();
  await expect(forgotten.getByRole("button", { name: "Измерить с этим почерком" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await expect(versions.getByRole("listitem").filter({ hasText: "Версия 7" })).toContainText(
    "Сейчас отвечает другой файл модели",
  );
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Скачать данные" }).click();
  expect((await coming).suggestedFilename()).toBe("voice-data-2026-11-23.zip");
  await versions.getByRole("button", { name: "Измерить с этим почерком" }).nth(1).click();
  await expect(versions.getByRole("status")).toContainText("Измеряем");
  expect(asked).toEqual([{ voiceId: voice(4).id }]);
  await expectAccessibleCrosswise(page, "versions of a voice");
  await expectNoSidewaysScroll(page);
});
