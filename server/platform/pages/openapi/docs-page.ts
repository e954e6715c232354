/** Renders the API documentation as plain HTML without scripts, from the OpenAPI document. */
import type { JsonSchema, OpenApi, Operation } from "./describe-api.ts";
import { quickStart } from "./quick-start.ts";

/** @param origin of this installation, for the examples */
export function docsPage(document: OpenApi, origin: string): string {
  const chapters = quickStart(origin);
  const groups = document.tags.map(({ name }) => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => section(method, path, operation)),
    );
    return `<h2 id="${escapeHtml(name)}"><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></h2>${operations.join("")}`;
  });
  const contents = document.tags.map(({ name }) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></li>`);
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API: ${escapeHtml(document.info.title)}</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<main>
<h1>API: ${escapeHtml(document.info.title)}</h1>
<p>Версия ${escapeHtml(document.info.version)}. Для программ: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>${escapeHtml(document.info.description)}</p>
<nav aria-label="С чего начать"><ul>${chapters
    .map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
    .join("")}</ul></nav>
${chapters.map(chapter).join("\n")}
<h2 id="calls">Все вызовы</h2>
<nav aria-label="Разделы"><ul>${contents.join("")}</ul></nav>
${groups.join("\n")}
</main>
</body>
</html>
`;
}

function chapter({ id, title, about, examples }: ReturnType<typeof quickStart>[number]): string {
  const shown = examples.map(
    ({ language, code }) =>
      `<h3>${language}</h3><pre tabindex="0" aria-label="${escapeHtml(`${title}: ${language}`)}" role="region">${escapeHtml(code)}</pre>`,
  );
  return `<section id="${id}"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>${shown.join("")}</section>`;
}

function section(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const [success, ...problems] = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  return `<section id="${escapeHtml(operation.operationId)}">
<h3><a href="#${escapeHtml(operation.operationId)}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></a></h3>
<p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>
${parameters.length === 0 ? "" : `<h4>Параметры</h4><ul>${parameters.map(parameter).join("")}</ul>`}
${
  requestBody === undefined
    ? ""
    : Object.entries(requestBody.content)
        .map(([type, { schema }]) => body("Тело", type, schema))
        .join("")
}
${Object.entries(success![1].content ?? {})
  .map(([type, { schema }]) => body(`Ответ ${success![0]}`, type, schema))
  .join("")}
${success![1].content === undefined ? `<p>Ответ ${success![0]}, без тела.</p>` : ""}
<p>Ошибки: ${problems.map(([code, { description: said }]) => `${code} ${escapeHtml(said.toLowerCase())}`).join("; ")}.</p>
</section>`;
}

const parameter = ({ name, in: place, required, schema }: Operation["parameters"][number]): string =>
  `<li><code>${escapeHtml(name)}</code>: ${escapeHtml(typeOf(schema))}, ${PLACES[place]}${required ? "" : ", необязательно"}</li>`;

const PLACES = { path: "в адресе", query: "в строке запроса", header: "в заголовке" };

function body(title: string, type: string, schema: JsonSchema): string {
  return `<h4>${title}, <code>${escapeHtml(type)}</code></h4><pre tabindex="0">${escapeHtml(shape(schema, 0))}</pre>`;
}

/** Renders a schema as indented text: `{ name: строка, tags?: [строка] }`. */
function shape(schema: JsonSchema, depth: number): string {
  const {
    properties,
    required = [],
    items,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    items?: JsonSchema;
  };
  if (properties !== undefined) {
    const indent = "  ".repeat(depth + 1);
    const fields = Object.entries(properties).map(
      ([name, field]) => `${indent}${name}${required.includes(name) ? "" : "?"}: ${shape(field, depth + 1)}`,
    );
    return fields.length === 0 ? "{}" : `{\n${fields.join(",\n")}\n${"  ".repeat(depth)}}`;
  }
  if (items !== undefined) return `[${shape(items, depth)}]`;
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (variants !== undefined) return variants.map((variant) => shape(variant, depth)).join(" или ");
  return typeOf(schema);
}

const TYPES: Record<string, string> = {
  string: "строка",
  number: "число",
  integer: "целое число",
  boolean: "да или нет",
  null: "null",
  object: "объект",
  array: "список",
};

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const type = TYPES[String(schema.type)] ?? "любое значение";
  const notes = [
    schema.format === undefined ? "" : String(schema.format),
    schema.minLength === undefined ? "" : `от ${schema.minLength} знаков`,
    schema.maxLength === undefined ? "" : `до ${schema.maxLength} знаков`,
  ].filter((note) => note !== "");
  return notes.length === 0 ? type : `${type} (${notes.join(", ")})`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const docsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { background: light-dark(#fff, #16201f); color: light-dark(#16211f, #eef3f2); }
a { color: light-dark(#0a5b60, #7fd6cf); }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 3rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
section { border-top: 1px solid; padding: 0.5rem 0; overflow-wrap: anywhere; }
h3 { margin: 0.5rem 0; }
h4 { margin: 0.5rem 0 0; }
pre { overflow-x: auto; border: 1px solid; border-radius: 8px; padding: 0.75rem; margin: 0.5rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; list-style: none; padding: 0; }
`;
