/** Parses the header Authentication-Results (RFC 8601), in which a mail server writes the results of its checks. */

/** One result: «dkim=pass header.d=example.ru». */
export interface MethodResult {
  method: string;
  result: string;
  /** Values by «ptype.property», such as «smtp.mailfrom», in lower case. */
  properties: ReadonlyMap<string, string>;
}

interface AuthenticationResults {
  /** The name of the server that has written the header, in lower case. */
  authservId: string;
  results: MethodResult[];
}

/** Servers write a few hundred characters; a longer header was padded by the letter's author. */
const LONGEST = 8_000;
const MOST_RESULTS = 50;

/** @param value the header without its name; null: it is not such a header, or too long */
export function readAuthenticationResults(value: string): AuthenticationResults | null {
  if (value.length > LONGEST) return null;
  const [head = "", ...parts] = statementsOf(value);
  // A version may follow: «mx.example.ru 1».
  const authservId = head.split(" ", 1)[0]!.toLowerCase();
  if (authservId === "" || authservId.includes("=")) return null;
  return { authservId, results: parts.slice(0, MOST_RESULTS).flatMap((part) => resultOf(part) ?? []) };
}

/** Splits at semicolons. Comments and quotation marks are removed; white space becomes one space, or none around «=». */
function statementsOf(value: string): string[] {
  const statements: string[] = [];
  let chars: string[] = [];
  let depth = 0;
  let isQuoted = false;
  const end = () => {
    statements.push(chars.join("").trim());
    chars = [];
  };
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!;
    if (char === "\\" && (isQuoted || depth > 0)) {
      at++;
      if (isQuoted) chars.push(plainCharacter(value[at] ?? ""));
    } else if (isQuoted) {
      if (char === '"') isQuoted = false;
      else chars.push(plainCharacter(char));
    } else if (char === "(") {
      depth++;
    } else if (char === ")" && depth > 0) {
      depth--;
    } else if (depth > 0) {
      // Comments are ignored, because they decide nothing.
    } else if (char === '"') {
      isQuoted = true;
    } else if (char === ";") {
      end();
    } else if (isBlank(char)) {
      if (chars.at(-1) !== " " && chars.at(-1) !== "=") chars.push(" ");
    } else {
      if (char === "=" && chars.at(-1) === " ") chars.pop();
      chars.push(char);
    }
  }
  end();
  return statements;
}

const isBlank = (char: string): boolean => char === " " || char === "\t" || char === "\r" || char === "\n";

/** Quoted characters must not form two words or another property. */
const plainCharacter = (char: string): string => (isBlank(char) || char === "=" ? "_" : char);

function resultOf(statement: string): MethodResult | null {
  const [first = "", ...rest] = statement.split(" ");
  const [method, result] = pairOf(first);
  if (method === "" || result === "") return null;
  const properties = new Map<string, string>();
  for (const [name, value] of rest.map(pairOf)) {
    // The first one counts, because servers write each property once.
    if (name.includes(".") && value !== "" && !properties.has(name)) properties.set(name, value);
  }
  return { method: method.split("/", 1)[0]!, result, properties };
}

function pairOf(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  return at < 0 ? ["", ""] : [text.slice(0, at).toLowerCase(), text.slice(at + 1).toLowerCase()];
}
