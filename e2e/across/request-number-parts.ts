// What request-number.spec.ts and request-number.full.spec.ts share.
import { json } from "../support/answers.ts";

export const broken = (requestId: string, status = 500) =>
  json({ message: "Внутренняя ошибка. Мы уже знаем о ней.", code: "internal", requestId }, status);
