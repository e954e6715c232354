/** Documents of a twin. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export const DELIVERY =
  "Доставка по Москве занимает один день и стоит 350 рублей. Заказы от 5000 рублей доставляем бесплатно.";

export let t: TestApp;

export const document = (digitalTwinId: string, changes: object = {}) => ({
  digitalTwinId,
  name: "Доставка",
  content: DELIVERY,
  type: "faq",
  tags: ["доставка"],
  status: "processed",
  ...changes,
});

/** A body as a browser's FormData makes it. */
export function form(
  fields: Record<string, string>,
  files: { name: string; bytes: Buffer | string }[],
  fieldsLast = false,
) {
  const boundary = `----${randomUUID()}`;
  const part = (head: string, body: Buffer | string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ];
  const texts = Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value));
  const uploads = files.flatMap(({ name, bytes }) =>
    part(`name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`, bytes),
  );
  const parts = fieldsLast ? [...uploads, ...texts] : [...texts, ...uploads];
  return {
    method: "POST" as const,
    url: "/api/knowledge/upload",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareDocuments(): void {
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
}
