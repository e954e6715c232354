// The texts of one module: finds them in its syntax tree, and puts those of another language in their place.
import { parseSync } from "vite";
import { isData, isMessage, LOCALE, normalized } from "./texts.mjs";

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */
/** A piece of a message: text as it stands in the source, or the place of something that the program puts in. @typedef {string | Node} Part */
/** @typedef {{ start: number, end: number, text: string }} Edit */
/** @typedef {(text: string) => string | undefined} Translate */

/**
 * The module in another language, with the same code around its texts.
 * @param {string} file says by its ending what `code` is written in
 * @param {string} code
 * @param {Translate} translate is asked for each message, nested ones too; what it does not know stays as it is
 */
export function translateModule(file, code, translate) {
  const { program, errors } = parseSync(file, code, {});
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return new ModuleTranslation(file, code, translate).of(/** @type {Node} */ (/** @type {unknown} */ (program)));
}

/**
 * All messages of a module, in the order of its text.
 * @param {string} file
 * @param {string} code
 */
export function messagesOf(file, code) {
  /** @type {string[]} */
  const found = [];
  translateModule(file, code, (text) => {
    found.push(text);
    return undefined;
  });
  return found;
}

/** Types hold no visible texts. */
const SKIPPED = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType", "superTypeArguments"]);
const SKIPPED_TYPES = /^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|ExportAll|TaggedTemplate)/;

/** A list of three longer texts that begin alike is no word in its forms. */
const LONGEST_FORM = 30;

class ModuleTranslation {
  /**
   * @param {string} file
   * @param {string} code
   * @param {Translate} translate
   */
  constructor(file, code, translate) {
    this.file = file;
    this.code = code;
    this.translate = translate;
  }

  /**
   * Source of a node in the other language.
   * @param {Node} node
   * @returns {string}
   */
  of(node) {
    /** @type {Edit[]} */
    const edits = [];
    this.visit(node, edits);
    return apply(this.code, node, edits);
  }

  /**
   * @param {unknown} value
   * @param {Edit[]} edits
   * @returns {void}
   */
  visit(value, edits) {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, edits);
      return;
    }
    if (!isNode(value) || SKIPPED_TYPES.test(value.type)) return;
    const node = value;
    if (node.type === "JSXElement" || node.type === "JSXFragment") {
      this.visit(node.openingElement, edits);
      this.visitChildren(node.children, edits);
      return;
    }
    if (node.type === "JSXAttribute") {
      this.visitAttribute(node, edits);
      return;
    }
    if (node.type === "ArrayExpression" && this.visitForms(node, edits)) return;
    const parts = partsOf(node);
    if (parts !== undefined) {
      this.replace(node, parts, edits, (pieces) => templateOf(pieces));
      return;
    }
    if (this.isSummaryOfCall(node)) return;
    if (node.type === "Property" && node.key.name === "stems" && this.visitStems(node.value, edits)) return;
    const searched = searchedFor(node);
    for (const [key, child] of Object.entries(node)) {
      if (SKIPPED.has(key) || (key === "key" && !node.computed)) continue;
      this.visit(
        child === node.arguments ? child.filter((/** @type {Node} */ each) => each !== searched) : child,
        edits,
      );
    }
  }

  /**
   * What the contract says of a call is for the API's document and no part of a screen; a summary elsewhere is shown.
   * @param {Node} node
   */
  isSummaryOfCall(node) {
    return this.file.startsWith("contract/") && node.type === "Property" && node.key.name === "summary";
  }

  /**
   * @param {Node} node an attribute of an element
   * @param {Edit[]} edits
   */
  visitAttribute(node, edits) {
    const { value } = node;
    if (value?.type !== "Literal") {
      this.visit(value, edits);
      return;
    }
    // What is marked as Russian is so no longer; data that stay Russian are not marked by a constant.
    if (node.name.name === "lang" && value.value === LOCALE.slice(0, 2)) {
      const locale = this.translate(LOCALE);
      if (locale !== undefined) edits.push({ ...span(value), text: JSON.stringify(locale.slice(0, 2)) });
      return;
    }
    this.replace(value, [decode(value.value)], edits, (pieces) => `{${templateOf(pieces)}}`);
  }

  /**
   * The children of an element are one message, so that the words around a number or a link may change places. An icon or a
   * part of the screen at either end is not of the sentence.
   * @param {Node[]} children
   * @param {Edit[]} edits
   */
  visitChildren(children, edits) {
    let from = 0;
    let to = children.length;
    while (from < to && standsApart(children[from])) from += 1;
    while (to > from && standsApart(children[to - 1])) to -= 1;
    const sentence = children.slice(from, to);
    const parts = sentence.map((child) => textOfChild(child) ?? child);
    if (sentence.length === 0 || !isMessage(joined(parts))) {
      this.visit(children, edits);
      return;
    }
    this.visit(children.slice(0, from), edits);
    this.visit(children.slice(to), edits);
    const whole = {
      type: "children",
      start: /** @type {Node} */ (sentence[0]).start,
      end: /** @type {Node} */ (sentence.at(-1)).end,
    };
    this.replace(whole, parts, edits, (pieces) =>
      pieces.map((piece) => (typeof piece === "string" ? `{${JSON.stringify(piece)}}` : piece.code)).join(""),
    );
  }

  /**
   * The forms of a word are one message: «сообщение | сообщения | сообщений».
   * @param {Node} node
   * @param {Edit[]} edits
   * @returns {boolean} whether the list holds such forms
   */
  visitForms(node, edits) {
    const forms = node.elements.map((/** @type {Node | null} */ each) =>
      each?.type === "Literal" ? each.value : null,
    );
    if (
      forms.length !== 3 ||
      !forms.every((/** @type {unknown} */ form) => typeof form === "string" && isMessage(form))
    )
      return false;
    const [one, few, many] = forms.map((/** @type {string} */ form) => form.trim());
    if (one[0].toLowerCase() !== few[0].toLowerCase() || one.length > LONGEST_FORM) return false;
    const text = this.translate(normalized([one, few, many].join(" | ")));
    if (text === undefined) return true;
    const [first = "", second = first, third = second] = text.split(" | ");
    edits.push({ ...span(node), text: JSON.stringify([first, second, third]) });
    return true;
  }

  /**
   * Beginnings of words are one message too, because another language has as many as it needs: «цен | стои | прайс».
   * @param {Node} node
   * @param {Edit[]} edits
   * @returns {boolean} whether the value is such a list
   */
  visitStems(node, edits) {
    if (node.type !== "ArrayExpression" || node.elements.some((/** @type {Node} */ { type }) => type !== "Literal"))
      return false;
    const text = this.translate(normalized(node.elements.map((/** @type {Node} */ { value }) => value).join(" | ")));
    if (text !== undefined) edits.push({ ...span(node), text: JSON.stringify(text.split(" | ")) });
    return true;
  }

  /**
   * @param {{ start: number, end: number }} place what of the source the message takes
   * @param {Part[]} parts
   * @param {Edit[]} edits
   * @param {(pieces: (string | { code: string })[]) => string} written the message as source
   */
  replace(place, parts, edits, written) {
    const whole = joined(parts);
    const places = parts.filter((part) => typeof part !== "string");
    const text = isMessage(whole) && !isData(whole) ? this.translate(normalized(whole)) : undefined;
    if (text === undefined) {
      this.visit(places, edits);
      return;
    }
    // The spaces at the ends belong to the place and not to the words.
    const spaced = `${/^\s*/.exec(whole)?.[0] ?? ""}${text}${/\s*$/.exec(whole)?.[0] ?? ""}`;
    const pieces = spaced.split(/\{(\d+)\}/).map((piece, index) => {
      if (index % 2 === 0) return piece;
      const node = places[Number(piece)];
      if (node === undefined) throw new Error(`${this.file}: «${text}» has a place {${piece}} too many`);
      return { code: this.of(node) };
    });
    edits.push({ ...span(place), text: written(pieces.filter((piece) => piece !== "")) });
  }
}

/**
 * The text that a call looks for in data, or a set of such texts, which no translation may touch.
 * @param {Node} node
 * @returns {Node | undefined}
 */
function searchedFor(node) {
  if (node.type === "NewExpression" && node.callee.name === "Set") return node.arguments[0];
  const method = node.type === "CallExpression" ? node.callee.property?.name : undefined;
  return /^(replace|replaceAll|includes|startsWith|endsWith|split|indexOf|lastIndexOf)$/.test(method ?? "")
    ? node.arguments[0]
    : undefined;
}

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === "object" && value !== null && typeof (/** @type {Node} */ (value).type) === "string";

/** @param {{ start: number, end: number }} place */
const span = ({ start, end }) => ({ start, end });

/**
 * @param {string} code
 * @param {{ start: number, end: number }} whole
 * @param {Edit[]} edits
 */
function apply(code, whole, edits) {
  let at = whole.start;
  let out = "";
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    out += code.slice(at, start) + text;
    at = end;
  }
  return out + code.slice(at, whole.end);
}

/**
 * The message with numbered places.
 * @param {Part[]} parts
 */
function joined(parts) {
  let place = 0;
  return parts.map((part) => (typeof part === "string" ? part : `{${place++}}`)).join("");
}

/**
 * The parts of a text: of a literal, a template, or of what is put together by «+». Undefined: it is no text.
 * @param {Node} node
 * @returns {Part[] | undefined}
 */
function partsOf(node) {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : undefined;
  if (node.type === "TemplateLiteral") {
    return node.quasis.flatMap((/** @type {Node} */ { value }, /** @type {number} */ index) => {
      const place = node.expressions[index];
      return place === undefined ? [value.cooked] : [value.cooked, ...(placeOf(place) ?? [place])];
    });
  }
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const left = partsOf(node.left);
  const right = partsOf(node.right);
  // Two numbers before a text would be added up and not set beside each other.
  if (left === undefined && right === undefined) return undefined;
  if (left === undefined && node.left.type === "BinaryExpression") return undefined;
  return [...(left ?? [node.left]), ...(right ?? [node.right])];
}

/**
 * A literal in a template's place is text like the rest.
 * @param {Node} node
 */
const placeOf = (node) => (node.type === "Literal" && typeof node.value === "string" ? [node.value] : undefined);

/** @param {(string | { code: string })[]} pieces */
function templateOf(pieces) {
  if (pieces.every((piece) => typeof piece === "string")) return JSON.stringify(pieces.join(""));
  const escaped = (/** @type {string} */ text) => text.replace(/[`\\]|\$(?=\{)/g, "\\$&").replaceAll("\n", "\\n");
  return `\`${pieces.map((piece) => (typeof piece === "string" ? escaped(piece) : `\${${piece.code}}`)).join("")}\``;
}

/**
 * The text of a single child of an element; undefined: it is an element or an expression.
 * @param {Node} child
 */
function textOfChild(child) {
  if (child.type === "JSXText") return decode(unfolded(child.value));
  const { expression } = child;
  if (child.type !== "JSXExpressionContainer" || expression.type !== "Literal") return undefined;
  return typeof expression.value === "string" ? expression.value : undefined;
}

/**
 * JSX's own rule: lines are trimmed and joined by a space, lines of nothing are dropped.
 * @param {string} text
 */
function unfolded(text) {
  const lines = text.split(/\r?\n/);
  return lines
    .map((line, index) => {
      const begun = index > 0 ? line.replace(/^[ \t]+/, "") : line;
      return index < lines.length - 1 ? begun.replace(/[ \t]+$/, "") : begun;
    })
    .filter((line) => line !== "")
    .join(" ");
}

/**
 * Whether a child at an end of the children is a part of the screen and not a word of the sentence.
 * @param {Node | undefined} child
 */
function standsApart(child) {
  if (child === undefined) return false;
  if (child.type === "JSXText") return unfolded(child.value).trim() === "" && child.value.includes("\n");
  if (child.type === "JSXElement") return child.openingElement.selfClosing || child.children.some(isBlock);
  if (child.type !== "JSXExpressionContainer") return false;
  if (child.expression.type === "JSXEmptyExpression") return true;
  return child.expression.type !== "Literal" && holdsElement(child.expression);
}

/** @param {Node} child */
const isBlock = (child) => child.type === "JSXElement" && child.children.length > 1;

/**
 * @param {Node} node
 * @returns {boolean}
 */
function holdsElement(node) {
  if (node.type === "JSXElement" || node.type === "JSXFragment") return true;
  if (node.type === "LogicalExpression") return holdsElement(node.right);
  if (node.type === "ConditionalExpression") return holdsElement(node.consequent) || holdsElement(node.alternate);
  return (
    node.type === "CallExpression" &&
    node.arguments.some(
      (/** @type {Node} */ each) => each.type === "ArrowFunctionExpression" && holdsElement(each.body),
    )
  );
}

const ENTITIES = /** @type {Record<string, string>} */ ({
  nbsp: "\u00a0",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  laquo: "«",
  raquo: "»",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  rarr: "→",
  larr: "←",
  times: "×",
  middot: "·",
  shy: "\u00ad",
});

/** @param {string} text of JSX, which has the entities of HTML */
function decode(text) {
  return text.replace(/&(\w+);/g, (whole, name) => {
    const sign = ENTITIES[name];
    if (sign === undefined) throw new Error(`Unknown entity ${whole}`);
    return sign;
  });
}
