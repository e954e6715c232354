import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_DOCUMENT_CHARS } from "#contract/knowledge/knowledge.ts";
import { Problem } from "#server/platform/errors.ts";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { readDocument } from "./read-document.ts";

const sample = (name: string) => readFileSync(join(import.meta.dirname, "samples", name));
const read = (name: string, bytes: Buffer | string) => readDocument({ name, bytes: Buffer.from(bytes) });
const refusal = async (name: string, bytes: Buffer | string) => {
  const problem = await read(name, bytes).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  const { status, code, message } = problem as Problem;
  return { status, code, message };
};

describe("reading a document", () => {
  test("a PDF yields its text layer with wrapped lines joined, and its title", async () => {
    const { text, mime, title } = await read("правила.pdf", sample("rules.pdf"));
    expect(mime).toBe("application/pdf");
    expect(title).toBe("Правила магазина «Лампа»");
    expect(text).toContain(
      "Доставка по Москве занимает один-два рабочих дня и стоит 350 руб. Заказы от 5 000 руб. доставляются бесплатно.",
    );
    expect(text).toContain(
      "\nВозврат\nВернуть товар надлежащего качества можно в течение 14 дней, если сохранились упаковка и чек.",
    );
  });

  test("a Word document yields headings, lists and tables", async () => {
    const { text, mime, title } = await read("памятка.docx", sample("memo.docx"));
    expect(mime).toContain("wordprocessingml");
    expect(title).toBe("Памятка продавца");
    expect(text).toBe(
      "# Памятка продавца\n\n# Доставка\n\nДоставка по городу занимает один день. Она стоит 350 руб. за заказ.\n\n" +
        "## Что уточнить\n\n- адрес\n- этаж и код\n\n# Цены\n\nТовар | Цена\nЛампа настольная | 2 400 руб.\nТоршер | 7 900 руб.\n\nКонец & спасибо.",
    );
  });

  test("an HTML page loses scripts, styles, navigation and hidden elements, and keeps headings, items and rows", async () => {
    const { text, mime, title } = await read("page.html", sample("page.html"));
    expect(mime).toBe("text/html");
    expect(title).toBe("Доставка и оплата");
    expect(text).toBe(
      "# Доставка & оплата\n\nКурьер приезжает за один день.\nОплата картой.\n\n- Москва\n- Тверь\n\nГород | Цена\nМосква | 350 руб.\n\nстрока 1\nстрока 2",
    );
    // The content decides, whatever the file's name.
    expect((await read("page.txt", sample("page.html"))).mime).toBe("text/html");
  });

  test("a CSV table becomes «Заголовок: значение» lines, whatever its delimiter", async () => {
    const expected = "Вопрос: Сколько стоит доставка?\nОтвет: 350 руб., по городу\n\nВопрос: Есть возврат?\nОтвет: Да";
    for (const sign of [",", ";", "\t"]) {
      const csv = `Вопрос${sign}Ответ\r\nСколько стоит доставка?${sign}"350 руб., по городу"\r\n\r\nЕсть возврат?${sign}Да\r\n`;
      expect(await read("faq.csv", csv)).toEqual({ text: expected, mime: "text/csv" });
    }
    expect((await read("a.csv", "Имя;\nАнна;30;x\n;;\n")).text).toBe("Имя: Анна\nСтолбец 2: 30\nСтолбец 3: x");
  });

  test("Excel's «sep=;» and a table's own heading are not the names of columns", async () => {
    const rows = "Услуга: Замена масла\nЦена, руб.: 1800";
    expect((await read("a.csv", "\uFEFFsep=;\r\nУслуга;Цена, руб.\r\nЗамена масла;1800\r\n")).text).toBe(rows);
    expect((await read("a.csv", "Прайс, сентябрь;\n;\nУслуга;Цена, руб.\nЗамена масла;1800\n")).text).toBe(
      `# Прайс, сентябрь\n\n${rows}`,
    );
    expect((await read("a.csv", "Прайс, сентябрь\n\nУслуга;Цена, руб.\nЗамена масла;1800\nРазвал;2500\n")).text).toBe(
      `# Прайс, сентябрь\n\n${rows}\n\nУслуга: Развал\nЦена, руб.: 2500`,
    );
  });

  test.each([
    ["found by the browser's search", '<h3>Гарантия?</h3><div hidden="until-found"><p>Два года.</p></div>'],
    ["under a heading", '<h3>Гарантия?</h3><div style="height:0; display: none;"><p>Два года.</p></div>'],
    ["under a button", '<h3>Вопросы</h3><button aria-expanded="false">Гарантия?</button><div hidden>Два года.</div>'],
    ["under a button in a heading", "<h3><button>Гарантия?</button></h3><div hidden>Два года.</div>"],
    ["of a tab", '<p role="tab">Гарантия?</p><p>…</p><div role="tabpanel" aria-hidden="true">Два года.</div>'],
    ["named by its button", '<a aria-controls="g1">Гарантия?</a><hr><div id="g1" hidden>Два года.</div>'],
    ["of a list of terms", "<dl><dt>Гарантия?</dt><dd hidden>Два года.</dd></dl>"],
    ["of an open part", "<details><summary>Гарантия?</summary><p>Два года.</p></details>"],
  ])("an answer that a click opens stays with its question: %s", async (_, html) => {
    const { text } = await read("a.html", `<!doctype html><body>${html}<button>Срок?</button><p>Два дня.</p></body>`);
    expect(text).toMatch(/Гарантия\?\s+(?:…\s+)?Два года\.\s+#+ Срок\?\s+Два дня\./);
  });

  test("an element may have very many children", async () => {
    const { text } = await read("a.html", `<!doctype html><body>${"<br>я".repeat(200_000)}</body>`);
    expect(text.split("\n")).toHaveLength(200_000);
  });

  test("a button that does something is left out, and what no click opens stays hidden", async () => {
    const html = "<!doctype html><p>Цена 300</p><div hidden>тайна</div><button>Купить</button><p>Звоните</p>";
    expect((await read("a.html", html)).text).toBe("Цена 300\n\nЗвоните");
  });

  test("Markdown stays unchanged, and its heading is the title", async () => {
    expect(await read("a.md", "# Правила\n\n* раз\n")).toEqual({
      text: "# Правила\n\n* раз",
      mime: "text/markdown",
      title: "Правила",
    });
  });

  test("a text in any Russian encoding is decoded correctly", async () => {
    const text =
      "Доставка по Москве — 350 руб. Ёлка, Щёлково; срок один-два дня.\nЗаказы от 5000 рублей везём бесплатно!";
    const plain = text.replace("—", "-");
    const table: Record<string, (code: number) => number> = {
      "windows-1251": (code) =>
        code >= 0x410 && code <= 0x44f ? code - 0x350 : code === 0x401 ? 0xa8 : code === 0x451 ? 0xb8 : code,
      "koi8-r": (code) => {
        const order = "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";
        const at = order.indexOf(String.fromCharCode(code));
        return at >= 0 ? 0xc0 + at : code === 0x401 ? 0xb3 : code === 0x451 ? 0xa3 : code;
      },
      ibm866: (code) =>
        code >= 0x410 && code <= 0x43f
          ? code - 0x390
          : code >= 0x440 && code <= 0x44f
            ? code - 0x360
            : code === 0x401
              ? 0xf0
              : code === 0x451
                ? 0xf1
                : code,
    };
    for (const [encoding, encode] of Object.entries(table)) {
      const bytes = Buffer.from([...plain].map((char) => encode(char.codePointAt(0)!)));
      expect(new TextDecoder(encoding).decode(bytes)).toBe(plain);
      expect((await read("a.txt", bytes)).text, encoding).toBe(plain);
    }
    const utf16 = Buffer.from(text, "utf16le");
    expect((await read("a.txt", utf16)).text).toBe(text);
    expect((await read("a.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))).text).toBe(text);
    expect((await read("a.txt", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]))).text).toBe(
      text,
    );
    expect((await read("a.txt", `\uFEFF${text}\r\nещё`)).text).toBe(`${text}\nещё`);
    expect((await read("a.txt", Buffer.from("Caf\xe9 cr\xe8me \xe0 la carte", "latin1"))).text).toBe(
      "Café crème à la carte",
    );
  });

  test("NUL characters are removed, and a text that begins like an image file is still a text", async () => {
    expect((await read("a.txt", `до\0после${" текст".repeat(400)}`)).text).toContain("допосле");
    expect((await read("a.txt", "BMW и MZ: наши партнёры")).text).toBe("BMW и MZ: наши партнёры");
    expect((await read("без расширения", "просто текст")).mime).toBe("text/plain");
  });

  test("a file whose extension contradicts its content is refused", async () => {
    const exe = Buffer.concat([
      Buffer.from("MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0", "latin1"),
      Buffer.alloc(400, 1),
    ]);
    const png = Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0", "latin1"),
      Buffer.alloc(100),
    ]);
    const cases: [string, Buffer | string][] = [
      ["счёт.pdf", exe],
      ["правила.txt", sample("rules.pdf")],
      ["памятка.md", sample("memo.docx")],
      ["памятка.docx", "просто текст"],
      ["памятка.docx", sample("rules.pdf")],
      ["заметка.txt", png],
    ];
    for (const [name, bytes] of cases) {
      expect(await refusal(name, bytes), name).toMatchObject({
        status: 415,
        code: "document_type_mismatch",
        message: expect.stringMatching(/не соответствует расширению/),
      });
    }
    for (const bytes of [exe, png, "{\\rtf1 привет}"])
      expect(await refusal("файл", bytes)).toMatchObject({ status: 415, code: "document_type_unsupported" });
  });

  test("empty, blank, damaged and far too long files are refused with their reason", async () => {
    expect(await refusal("a.txt", "")).toMatchObject({ status: 422, code: "document_empty" });
    expect(await refusal("a.txt", " \n\t\n")).toMatchObject({ status: 422, code: "document_empty" });
    expect(await refusal("a.html", "<html><script>1</script></html>")).toMatchObject({
      status: 422,
      code: "document_empty",
    });
    expect(await refusal("a.pdf", sample("rules.pdf").subarray(0, 300))).toMatchObject({
      status: 422,
      code: "document_damaged",
    });
    expect(await refusal("a.docx", sample("memo.docx").subarray(0, 900))).toMatchObject({
      status: 422,
      code: "document_damaged",
    });
    expect(await refusal("a.txt", "ы".repeat(MAX_DOCUMENT_CHARS + 1))).toMatchObject({
      status: 413,
      code: "document_too_large",
    });
    expect(await refusal("a.html", `<html>${"<div>".repeat(100_000)}x`)).toMatchObject({
      status: 422,
      code: "document_damaged",
    });
  });

  test("hostile markup takes time in proportion to its length", async () => {
    const cpuMs = startCpuTime();
    for (const part of ["<!--", "<a ", "</p>", "<p>", "<li>x", "<a x='", "<script>", "<div></b>"]) {
      await read("a.html", `<html>текст ${part.repeat(40_000)}`).catch((error) =>
        expect(error).toBeInstanceOf(Problem),
      );
    }
    expect(cpuMs()).toBeLessThan(10_000);
  });

  test("any bytes under any name are either read or refused", async () => {
    const starts = fc.constantFrom("", "%PDF-1.7\n", "PK\x03\x04", "<html>", "\xff\xfe", "MZ", '"');
    await fc.assert(
      fc.asyncProperty(
        starts,
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("a.pdf", "a.docx", "a.txt", "a.html", "a.csv", "a.md", "a", "a.exe"),
        async (start, noise, name) => {
          const result = await read(name, Buffer.concat([Buffer.from(start, "latin1"), noise])).catch(
            (error: unknown) => error,
          );
          if (!(result instanceof Problem))
            expect(result).toMatchObject({ text: expect.stringMatching(/^[^\0]+$/), mime: expect.any(String) });
        },
      ),
      { numRuns: randomRuns(300) },
    );
  });
});
