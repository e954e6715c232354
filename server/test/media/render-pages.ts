/**
 * Renders the pages of server/test/media/pages/ as if photographed by hand: a little turned, unevenly lit, grainy, squeezed into JPEG. Run
 * by hand (`node server/test/media/render-pages.ts`) when a page changes; the tests read the files.
 */

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { chromium } from "playwright";
import { PAGES, type Page } from "./pages.ts";

const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
const OUT = new URL("pages/", import.meta.url);

const html = ({ body, turn, width }: Page) => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; background: #b9b1a4; font: 26px/1.5 "DejaVu Sans", sans-serif; color: #222 }
  main { margin: 40px; width: ${width}px; padding: 40px; background: #fbf9f3; transform: rotate(${turn}deg) }
  h1 { font-size: 34px; margin: 0 0 16px } p { margin: 0 0 6px } .row { display: flex; justify-content: space-between }
  .mono { font-family: "DejaVu Sans Mono", monospace; font-size: 22px } .bubble { background: #dff0d0; border-radius: 14px; padding: 12px 18px; margin: 0 0 14px; max-width: 78% }
  .mine { margin-left: auto; background: #fff; border: 1px solid #ddd }
  canvas { position: absolute; inset: 0 }
</style><body>${body}<canvas></canvas><script>
  const canvas = document.querySelector("canvas");
  [canvas.width, canvas.height] = [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
  const paint = canvas.getContext("2d");
  const light = paint.createLinearGradient(0, 0, canvas.width, canvas.height);
  light.addColorStop(0, "rgba(255,244,214,.10)"); light.addColorStop(1, "rgba(20,24,40,.22)");
  paint.fillStyle = light; paint.fillRect(0, 0, canvas.width, canvas.height);
  let state = 7; const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let at = 0; at < canvas.width * canvas.height / 9; at++) {
    paint.fillStyle = random() < .5 ? "rgba(0,0,0,.13)" : "rgba(255,255,255,.13)";
    paint.fillRect(random() * canvas.width, random() * canvas.height, 1.4, 1.4);
  }
</script>`;

await mkdir(OUT, { recursive: true });
const browser = await chromium.launch(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM });
for (const [name, page] of Object.entries(PAGES)) {
  const view = await browser.newPage({
    viewport: { width: page.width + 160, height: 300 },
    deviceScaleFactor: page.scale,
  });
  await view.setContent(html(page));
  const picture = await view.screenshot({ type: "jpeg", quality: page.quality, fullPage: true });
  await writeFile(new URL(`${name}.jpg`, OUT), picture);
}
await browser.close();
