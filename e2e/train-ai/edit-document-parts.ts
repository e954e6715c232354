// What edit-document.spec.ts and edit-document.full.spec.ts share.
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { json } from "../support/answers.ts";
import { answeringTraining } from "./answering-training.ts";

export const FORMER = "Доставка по Москве занимает один день и стоит 350 рублей, заказы принимаем до шести вечера.";
export const NEW = "Доставка по Москве занимает два дня и стоит 490 рублей, заказы принимаем до шести вечера.";
const path = `/api/knowledge/documents/${uuid(51)}`;
export const version = (letter: string) => letter.repeat(32);

export async function openEditor(
  page: Parameters<typeof answeringTraining>[0],
  whole: object,
  put: (body: never) => object,
) {
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([buildDocument(1, { name: "Доставка" })]),
    [`GET ${path}`]: () => ({ ...buildDocument(1, { name: "Доставка" }), ...whole }),
    [`PUT ${path}`]: (route, request) => {
      const body = put(request.postDataJSON() as never);
      return json(body, "code" in body ? 409 : 200)(route, request);
    },
  });
  await page.goto("/train-ai");
  await page.getByRole("button", { name: "Доставка", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Изменить" }).click();
}
