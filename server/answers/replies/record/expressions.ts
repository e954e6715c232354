/** Evaluates the arithmetic that a model gives for a number of its answer. */

const NUMBER = /^\d{1,15}(?:[.,]\d{1,6})?/u;
const SIGN = /^[-+*/()%×·xхXХ−–÷:]/u;
const SIGNS: Record<string, string> = {
  "×": "*",
  "·": "*",
  x: "*",
  х: "*",
  X: "*",
  Х: "*",
  "−": "-",
  "–": "-",
  "÷": "/",
  ":": "/",
};
/** A word or a sign of money, but no single «x», which multiplies. */
const UNIT = /(?<!\p{L})(?![xхXХ](?!\p{L}))[\p{L}₽$€][\p{L}.²³]{0,20}/gu;
const LONGEST = 200;
/** Tokens of one expression; a longer one is not a calculation of a short answer. */
const MOST = 60;

export interface Evaluated {
  value: number;
  /** The numbers that the expression names. */
  operands: number[];
}

/** Returns null for what is no arithmetic, and for a division by zero. «20%» is .2. */
export function evaluate(expression: string): Evaluated | null {
  const tokens = tokensOf(expression);
  if (tokens === null || tokens.length === 0) return null;
  const operands: number[] = [];
  let at = 0;
  const fails = Symbol("not arithmetic");

  function sum(): number {
    let value = product();
    while (tokens![at] === "+" || tokens![at] === "-")
      value = tokens![at++] === "+" ? value + product() : value - product();
    return value;
  }
  function product(): number {
    let value = factor();
    while (tokens![at] === "*" || tokens![at] === "/")
      value = tokens![at++] === "*" ? value * factor() : value / factor();
    return value;
  }
  function factor(): number {
    const token = tokens![at++];
    if (token === "-") return -factor();
    let value: number;
    if (token === "(") {
      value = sum();
      if (tokens![at++] !== ")") throw fails;
    } else {
      if (typeof token !== "number") throw fails;
      operands.push(token);
      value = token;
    }
    while (tokens![at] === "%") {
      at++;
      value /= 100;
    }
    return value;
  }

  try {
    const value = sum();
    return at === tokens.length && Number.isFinite(value) ? { value, operands } : null;
  } catch (error) {
    if (error === fails) return null;
    throw error;
  }
}

function tokensOf(expression: string): (number | string)[] | null {
  const given = expression.slice(0, LONGEST).split("=")[0]!.replace(UNIT, " ");
  let bare = given.replace(/(\d)[ \u00a0\u202f](?=\d)/g, "$1").trim();
  const tokens: (number | string)[] = [];
  while (bare !== "") {
    const found = NUMBER.exec(bare)?.[0] ?? SIGN.exec(bare)?.[0];
    if (found === undefined || tokens.length >= MOST) return null;
    tokens.push(/^\d/.test(found) ? Number(found.replace(",", ".")) : (SIGNS[found] ?? found));
    bare = bare.slice(found.length).trimStart();
  }
  return tokens;
}
