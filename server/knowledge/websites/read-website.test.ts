/** A site is read within limits and by its rules, whatever its server does. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Website } from "#contract/knowledge/websites.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { websites } from "#server/platform/db/schema/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import {
  asked,
  askedElsewhere,
  elsewhere,
  html,
  links,
  page,
  pages,
  prepareWebsites,
  read,
  said,
  setAsked,
  setPages,
  site,
  t,
  to,
  words,
} from "#server/test/knowledge/website-bench.ts";
import { READING, readWebsite } from "./read-website.ts";

prepareWebsites();

test("pages become documents that the twin answers from, each with its address", async () => {
  setPages({
    "/": page(
      "Главная",
      `<p>${words("Магазин")}</p>${links("/prices#top", "/prices?utm_source=a", "/text", "/pic.jpg")}`,
    ),
    "/prices": page("Цены", `<p>${words("Торт 3 кг стоит 7500 рублей")}</p>`),
    "/text": said(words("Текстом")),
    "/mapped": page("Из карты сайта"),
    "/sitemap.xml": said(
      `<urlset><url><loc>${site.root}/mapped</loc></url><url><loc>https://other.example/x</loc></url></urlset>`,
      "application/xml",
    ),
  });
  const done = await read();
  expect(await done.look()).toMatchObject({
    state: "ready",
    reason: null,
    pages: { found: 4, read: 4, documents: 4 },
  });
  // Each page is requested once, without fragment, tracking parameters and images.
  expect(asked.toSorted()).toEqual(["/", "/mapped", "/prices", "/robots.txt", "/sitemap.xml", "/text"]);
  const documents = await done.documents();
  expect(documents.map(({ name }) => name).toSorted()).toEqual([
    `${new URL(site.root).host}/text`,
    "Главная",
    "Из карты сайта",
    "Цены",
  ]);
  expect(documents.find(({ name }) => name === "Цены")).toMatchObject({
    type: "faq",
    sourceUrl: `${site.root}/prices`,
  });
  const found = await done.client.get(
    `/api/digital-twins/${done.twinId}/search?q=${encodeURIComponent("сколько стоит торт")}`,
  );
  expect(found.json()[0]).toMatchObject({ name: "Цены", text: expect.stringContaining("7500") });
});

test("robots.txt, noindex and nofollow are honoured", async () => {
  setPages({
    "/robots.txt": said("User-agent: *\nDisallow: /private\n"),
    "/": page(
      "Главная",
      `<p>${words("Магазин")}</p>${links("/private/a", "/hidden", "/header", "/end")}<a rel="nofollow" href="/not-followed">нет</a>`,
    ),
    "/private/a": page("Тайное"),
    "/hidden": page(
      "Скрытая",
      `<p>${words("Скрытая")}</p>${links("/beyond")}`,
      '<meta name="robots" content="noindex">',
    ),
    "/header": (response) =>
      void response
        .writeHead(200, { "content-type": "text/html", "x-robots-tag": "noindex" })
        .end(html("Б", words("Б"))),
    "/end": page(
      "Конец",
      `<p>${words("Конец")}</p>${links("/dead")}`,
      '<meta name="DigitalTwinsReader" content="nofollow">',
    ),
    "/beyond": page("За скрытой"),
    "/dead": page("Недоступная"),
    "/not-followed": page("Недоступная тоже"),
  });
  const done = await read();
  expect((await done.documents()).map(({ name }) => name).toSorted()).toEqual(["Главная", "За скрытой", "Конец"]);
  for (const path of ["/private/a", "/dead", "/not-followed"]) expect.soft(asked).not.toContain(path);
  expect((await done.pagesOf()).get("/hidden")).toMatchObject({ state: "left", documentId: null });
});

test("redirects are followed within the site and never out of it, into the inner network least of all", async () => {
  setPages({
    "/": page(
      "Главная",
      `<p>${words("Магазин")}</p>${links("/moved", "/inside", "/metadata", "/round", "//evil", elsewhere.root)}`,
    ),
    "/moved": to("/new"),
    "/new": page("Новая"),
    "/inside": to(`${elsewhere.root}/secret`),
    "/metadata": to("http://169.254.169.254/latest/meta-data/"),
    "/round": to("/round"),
  });
  const done = await read();
  expect((await done.documents()).map(({ name }) => name).toSorted()).toEqual(["Главная", "Новая"]);
  const found = await done.pagesOf();
  for (const path of ["/inside", "/metadata"]) expect.soft(found.get(path)?.reason).toBe("Ведёт на другой сайт");
  expect(askedElsewhere).toBe(0);
});

test("a server that loops, lies about lengths, sends a gigabyte, a bomb or nothing costs its own pages alone", async () => {
  const before = process.memoryUsage().rss;
  const piece = Buffer.alloc(64 * 1024, "а ");
  const bomb = gzipSync(Buffer.alloc(100 * 1024 ** 2, "а"));
  setPages({
    "/": page(
      "Главная",
      `<p>${words("Магазин")}</p>${links("/huge", "/bomb", "/claims", "/short", "/binary", "/reset", "/loop?n=1", "/good")}`,
    ),
    "/huge": (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      let sent = 0;
      const more = () => {
        while (sent < 1024 ** 3 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    },
    "/bomb": (response) =>
      void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bomb),
    "/claims": (response) =>
      void response.writeHead(200, { "content-type": "text/html", "content-length": "9999999999" }).flushHeaders(),
    "/short": (response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
      response.write("мало");
      setTimeout(() => response.destroy(), 50);
    },
    "/binary": (response) =>
      void response
        .writeHead(200, { "content-type": "text/html" })
        .end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255, 254])),
    "/reset": (response) => void response.socket?.resetAndDestroy(),
    "/loop": (response, path) => {
      const next = Number(/n=(\d+)/.exec(path)?.[1] ?? 0) + 1;
      page(`Круг ${next}`, `<p>${words(`Круг ${next}`)}</p>${links(`/loop?n=${next}`)}`)(response, path);
    },
    "/good": page("Хорошая"),
  });
  const done = await read();
  const found = await done.pagesOf();
  expect(await done.look()).toMatchObject({ state: "ready" });
  expect((await done.documents()).map(({ name }) => name)).toEqual(expect.arrayContaining(["Главная", "Хорошая"]));
  for (const path of ["/huge", "/bomb", "/claims"])
    expect.soft(found.get(path)?.reason, path).toBe("Страница больше 2 МБ");
  for (const path of ["/short", "/reset"]) expect.soft(found.get(path)?.state, path).toBe("failed");
  expect(found.get("/binary")?.state).toBe("left");
  // Four links from the start and no further.
  expect([...found.keys()].filter((path) => path.startsWith("/loop"))).toHaveLength(4);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
}, 60_000);

test("pages are read in the encoding they are in, whatever they say of it, and a page instead of robots.txt is no rule", async () => {
  const cyrillic = [...Array(256).keys()].map((byte) => new TextDecoder("windows-1251").decode(Buffer.from([byte])));
  const inWindows = (text: string) => Buffer.from([...text].map((letter) => cyrillic.indexOf(letter)));
  const body = html("Цены", `<p>${words("Торт")}</p>`, '<meta charset="utf-8">');
  setPages({
    "/robots.txt": page("Страница не найдена", "<p>User-agent: *<br>Disallow: /</p>"),
    "/": (response) =>
      void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(inWindows(body)),
  });
  const done = await read();
  expect(await done.documents()).toMatchObject([
    { name: "Цены", content: expect.stringContaining("доставка по городу") },
  ]);
});

test("endless pages end with the time of a reading, with what was read", async () => {
  READING.wholeMs = 0;
  try {
    setPages({ "/": page("Главная") });
    const done = await read();
    expect(await done.look()).toMatchObject({ state: "ready", reason: expect.stringContaining("полчаса") });
  } finally {
    READING.wholeMs = 30 * 60_000;
  }
});

test("reading again replaces what has changed, keeps what the owner has edited, and removes what is gone", async () => {
  setPages({
    "/": page("Главная", `<p>${words("Магазин")}</p>${links("/prices", "/edited", "/gone", "/away", "/deleted")}`),
    "/prices": page("Цены", `<p>${words("Торт стоит 7500 рублей")}</p>`),
    "/edited": page("Правленая"),
    "/gone": page("Исчезнет"),
    "/away": page("Недоступна потом"),
    "/deleted": page("Удалённая"),
  });
  const done = await read();
  const before = new Map((await done.documents()).map((document) => [document.name, document]));
  expect(before.size).toBe(6);
  const edited = before.get("Правленая")!;
  const own = words("Правка владельца");
  expect(
    (
      await done.client.put(`/api/knowledge/documents/${edited.id}`, {
        name: edited.name,
        content: own,
        version: edited.version,
      })
    ).statusCode,
  ).toBe(200);
  await done.client.delete(`/api/knowledge/documents/${before.get("Удалённая")!.id}`);
  pages["/prices"] = page("Цены", `<p>${words("Торт стоит 8200 рублей")}</p>`);
  delete pages["/gone"];
  pages["/away"] = (response) => void response.writeHead(500).end();
  await done.again();
  expect((await done.look()).pages).toMatchObject({ documents: 4, added: 0, changed: 1, gone: 1 });
  expect((await done.pagesOf()).get("/gone")).toMatchObject({ change: "gone", reason: "Такой страницы нет" });
  const after = new Map((await done.documents()).map((document) => [document.name, document]));
  expect([...after.keys()].toSorted()).toEqual(["Главная", "Недоступна потом", "Правленая", "Цены"]);
  expect(after.get("Цены")).toMatchObject({ id: before.get("Цены")!.id, content: expect.stringContaining("8200") });
  expect(after.get("Правленая")).toMatchObject({ id: edited.id, content: own });
  const search = await done.client.get(
    `/api/digital-twins/${done.twinId}/search?q=${encodeURIComponent("сколько стоит торт")}`,
  );
  // Only part of the answer is compared, because the digits may occur in an identifier.
  expect(
    search
      .json<{ text: string }[]>()
      .map(({ text }) => text)
      .join(),
  ).not.toContain("7500");
});

test("a reading that is cut off goes on with the page that waits, and asks for none twice", async () => {
  const paths = Array.from({ length: 8 }, (_, n) => `/p${n}`);
  setPages({ "/": page("Главная", `<p>${words("Магазин")}</p>${links(...paths)}`) });
  for (const path of paths) pages[path] = page(`Страница ${path}`);
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { organizationId, userId } = client.caller;
  const [row] = await asTenant(t.services.db, client.caller, async (tx) => {
    const place = { orgId: organizationId, twinId, confirmedBy: userId };
    const made = await tx
      .insert(websites)
      .values({ ...place, url: `${site.root}/`, site: site.root.slice(7), documentType: "faq" })
      .returning();
    return made;
  });
  const job = { organizationId, userId, websiteId: row!.id };
  const { addFoundPages } = await import("./website-rows.ts");
  await addFoundPages(t.services.db, job, [`${site.root}/`], 0);
  const cut = new AbortController();
  pages["/p3"] = (response, path) => {
    cut.abort(new Error("killed"));
    pages["/p3"] = page("Страница /p3");
    pages["/p3"](response, path);
  };
  await expect(readWebsite(t.services, job, cut.signal)).rejects.toThrow("killed");
  expect(asked).toContain("/p3");
  const first = asked;
  setAsked([]);
  await readWebsite(t.services, job, new AbortController().signal);
  await t.jobsIdle();
  // Interrupted requests and the rules are fetched again.
  const twice = asked.filter((path) => first.includes(path));
  expect(new Set(twice)).toEqual(new Set(["/robots.txt", "/sitemap.xml", "/p3"]));
  expect((await client.get("/api/knowledge/documents")).json()).toHaveLength(9);
});

test("a reading is stopped with what it has, and a site is removed with its documents", async () => {
  setPages({ "/": page("Главная", `<p>${words("Магазин")}</p>${links("/p1", "/p2")}`), "/p1": page("Первая") });
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  let id = "";
  pages["/p2"] = (response, path) => {
    void client.post(`/api/knowledge/websites/${id}/cancel`).then(() => page("Вторая")(response, path));
  };
  id = (
    await client.post("/api/knowledge/websites", {
      digitalTwinId: twinId,
      url: `${site.root}/`,
      type: "faq",
      own: true,
    })
  ).json().id;
  await t.jobsIdle();
  const [stopped] = (await client.get("/api/knowledge/websites")).json<Website[]>();
  expect(stopped).toMatchObject({ state: "cancelled", pages: { documents: 2 } });
  expect((await client.delete(`/api/knowledge/websites/${id}`)).statusCode).toBe(204);
  await t.jobsIdle();
  expect((await client.get("/api/knowledge/documents")).json()).toEqual([]);
  expect((await client.get("/api/knowledge/websites")).json()).toEqual([]);
});

test("only a public address of one's own word is taken, and each site once", async () => {
  setPages({ "/": page("Главная") });
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const add = async (url: string, changes: object = {}) =>
    client.post("/api/knowledge/websites", { digitalTwinId: twinId, url, type: "faq", own: true, ...changes });
  for (const url of [
    "http://localhost/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest",
    "http://[fe80::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://example.ru:22/",
    "http://user:pass@example.ru/",
    "ftp://example.ru/",
    "file:///etc/passwd",
    "http://printer.local/",
    "javascript:alert(1)",
  ]) {
    expect.soft((await add(url)).statusCode, url).toBe(400);
  }
  expect((await add("example.ru", { own: false })).json().fields.own).toContain("Подтвердите");
  expect((await add(`${site.root}/`)).statusCode).toBe(201);
  expect((await add(`${site.root}/other`)).json().code).toBe("website_exists");
  await t.jobsIdle();
  const viewer = await t.signUp({ role: "viewer", organizationId: client.caller.organizationId });
  expect((await viewer.get("/api/knowledge/websites")).json()).toHaveLength(1);
});
