// What creating.spec.ts and creating.full.spec.ts share.
import type { Page } from "@playwright/test";

export const twinSelect = (page: Page) => page.getByLabel("Цифровой двойник");
export const CREATE = "POST /api/integrations/create";
export const submit = (page: Page) => page.getByRole("button", { name: "Создать интеграцию" });
