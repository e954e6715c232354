/** Decides whether one sentence of a source supports an amount of an answer: same value, same unit, same subject. */
import { isSame, kindOf } from "./same-amount.ts";
import type { SourceAmount } from "./source-amounts.ts";
import { CONDITION, FREE, type StatedAmount } from "./stated-amounts.ts";
import { contradicts, endSpokenOf, type Role, type Tokens, tokensOf } from "./tokens.ts";

interface Claim {
  amount: StatedAmount;
  amounts: readonly StatedAmount[];
  sentence: string;
  question: string;
}

interface Subject {
  from: "local" | "lead" | "question";
  tokens: Tokens;
}

interface Asked extends Claim {
  subject: Subject;
  /** For each source amount, the words of the claim's subject that it covers; filled on demand. */
  covers: Map<SourceAmount, Tokens>;
}

export class HeldAmounts {
  readonly #known: readonly SourceAmount[];
  readonly #topics: Tokens;
  readonly #cyrillic: boolean;
  readonly #sentences: ReadonlyMap<object, readonly SourceAmount[]>;

  /** @param known only the first `MOST_KNOWN` are compared */
  constructor(known: readonly SourceAmount[]) {
    this.#known = known.slice(0, MOST_KNOWN);
    this.#topics = new Set(this.#known.flatMap(({ local, lead }) => [...local, ...lead]));
    const words = named(new Set([...this.#topics, ...this.#known.flatMap(({ about }) => [...about])]));
    this.#cyrillic = words.filter(isCyrillic).length * 2 >= words.length;
    this.#sentences = Map.groupBy(this.#known, ({ sentence }) => sentence);
  }

  holds(claim: Claim): boolean {
    const side = sideOf(claim);
    const alike = this.#known.filter((known) => matches(claim, known, side));
    if (alike.length === 0) return false;
    const asked: Asked = { ...claim, subject: this.#subjectOf(claim), covers: new Map() };
    const rivals = new Map<string, readonly Tokens[]>();
    return alike.some((known) => {
      if (!this.#agrees(asked, known) || !this.#endHeld(claim, known)) return false;
      const kind = kindOf(known);
      const others = rivals.get(kind) ?? this.#rivalsOf(asked, kind);
      rivals.set(kind, others);
      return !others.some((other) => isMore(other, coverOf(asked, known))) && !this.#isAnothersBeside(asked, known);
    });
  }

  hasValue({ amount }: Claim): boolean {
    return this.#known.some((known) => isSame(amount, known));
  }

  /** Returns the claim's subject: the words next to the amount, else the start of its sentence, else the question. */
  #subjectOf({ amount, question }: Claim): Subject {
    const asked = tokensOf(question);
    const says = (tokens: Tokens) => [...tokens].some((one) => this.#topics.has(one) || asked.has(one));
    if (says(amount.local)) return { from: "local", tokens: amount.local };
    if (says(amount.lead)) return { from: "lead", tokens: new Set([...amount.local, ...amount.lead]) };
    return { from: "question", tokens: asked };
  }

  #agrees(asked: Asked, known: SourceAmount): boolean {
    const { amount, subject } = asked;
    if (contradicts(amount.local, known.local) || this.#pricesUnknown(asked, known)) return false;
    // A bare amount names no subject that could differ, and a subject in another language cannot be compared.
    if (subject.from === "question" || isTime(known) || coverOf(asked, known).size > 0) return true;
    return !named(subject.tokens).some((one) => isCyrillic(one) === this.#cyrillic);
  }

  /** Whether the answer prices a thing that neither the sources nor the question mention. */
  #pricesUnknown({ amount: { priced }, question }: Claim, known: SourceAmount): boolean {
    if (priced === null || isCyrillic(priced) !== this.#cyrillic) return false;
    return !this.#topics.has(priced) && !known.about.has(priced) && !tokensOf(question, true).has(priced);
  }

  #rivalsOf(asked: Asked, kind: string): readonly Tokens[] {
    const { from, tokens } = asked.subject;
    // A continuation in its own words leaves the subject of the sentence's start: «внутри кольцевой 400, дальше 50».
    if (from === "lead" && !isFirst(asked)) return [];
    // A question that differs in words from the source, or covers several things, decides nothing. Times and counts are decided only by
    // adjacent words.
    if (from === "question" && !ALWAYS_OF_SOMETHING.has(kind)) return [];
    const found = new Map<string, Tokens>();
    for (const other of this.#known) {
      if (kindOf(other) !== kind || (from === "question" && !isAskedOf(tokens, other))) continue;
      const cover = coverOf(asked, other);
      const key = [...cover].join("|");
      if (!found.has(key) && !isSame(asked.amount, other)) found.set(key, cover);
    }
    return [...found.values()];
  }

  #isAnothersBeside(asked: Asked, known: SourceAmount): boolean {
    const { from, tokens } = asked.subject;
    const others = this.#sentences
      .get(known.sentence)!
      .filter((other) => other !== known && kindOf(other) === kindOf(known) && !isSame(asked.amount, other));
    if (others.length === 0 || (from === "lead" && !isFirst(asked))) return false;
    const rivals = from === "question" ? others.filter((other) => isAskedOf(tokens, other)) : others;
    if (rivals.some((other) => isException(tokens, known, other))) return true;
    if (from === "question" && rivals.some((other) => isMore(coverOf(asked, other), coverOf(asked, known))))
      return true;
    // «сб 9–14» continues the subject at the start of the sentence; «тюльпан 90» names its own.
    if (from === "lead" || named(known.local).length === 0 || hasCompany(asked, known)) return false;
    return overlap(tokens, known.local) === 0 && rivals.some((other) => overlap(tokens, other.local) > 0);
  }

  #endHeld({ amount, amounts }: Claim, known: SourceAmount): boolean {
    const end = amount.other === null ? null : amounts[amount.other]!;
    return end === null || this.#sentences.get(known.sentence)!.some((other) => isSame(end, other));
  }
}

const MOST_KNOWN = 1500;
/** Kinds of amounts that always refer to a particular thing. */
const ALWAYS_OF_SOMETHING = new Set(["money", "percent"]);

const isMore = (one: Tokens, other: Tokens): boolean =>
  one.size > other.size && [...other].every((token) => one.has(token));

const isAskedOf = (asked: Tokens, { local }: SourceAmount): boolean => named(asked).every((one) => local.has(one));

function coverOf({ subject, covers }: Asked, known: SourceAmount): Tokens {
  const cover = covers.get(known) ?? new Set([...subject.tokens].filter((token) => isCovered(token, known)));
  covers.set(known, cover);
  return cover;
}

/** The hours of a single day come from the entry for fewer days: «ежедневно с 9 до 21, в воскресенье с 10 до 18». */
function isException(subject: Tokens, known: SourceAmount, other: SourceAmount): boolean {
  const days = ({ local }: SourceAmount) => [...local].filter((one) => one.startsWith("day "));
  const [all, fewer, said] = [days(known), days(other), [...subject].filter((one) => one.startsWith("day "))];
  return fewer.length < all.length && said.length > 0 && said.every((day) => fewer.includes(day) && all.includes(day));
}

const isFirst = ({ amount, amounts }: Claim): boolean =>
  amounts.every((one) => one.at >= amount.at || unitOf(one) !== unitOf(amount));

const unitOf = ({ readings }: StatedAmount): string =>
  readings.map((one) => (one.kind === "quantity" ? (one.quantity.unit?.dimension ?? "none") : one.kind)).join();

const isCyrillic = (token: string): boolean => /\p{Script=Cyrillic}/u.test(token);

const overlap = (subject: Tokens, tokens: Tokens): number => [...subject].filter((one) => tokens.has(one)).length;
const named = (tokens: Tokens): string[] => [...tokens].filter((one) => !/^(?:#|day|if) /.test(one));

/** «по городу» does not match «за город» but matches the bare noun; the occurrence nearest to the amount decides. */
function isCovered(token: string, { local, lead, about }: SourceAmount): boolean {
  const [first, root] = token.split(" ");
  const places = [local, lead, about];
  if (root === undefined || first === "#") return places.some((tokens) => tokens.has(token));
  for (const tokens of places) {
    if (tokens.has(token)) return true;
    if ([...tokens].some((one) => (first === "day" ? one.startsWith("day ") : one.endsWith(` ${root}`)))) return false;
  }
  if (first === "day") return false;
  return places.some((tokens) => tokens.has(root));
}

/** Whether an amount adjacent to this one in the answer is adjacent in the source too: «от 3000 — бесплатно». */
const hasCompany = ({ amount }: Claim, { local }: SourceAmount): boolean =>
  [...amount.local].some((one) => one.startsWith("# ") && local.has(one));

const isTime = (amount: SourceAmount): boolean => ["time", "date"].includes(kindOf(amount));

const ASKS_PRICE = /(?<!\p{L})(?:сто[ия]|цен|поч[её]м|руб|прайс|тариф|cost|price)\p{L}{0,6}/iu;

function matches(claim: Claim, known: SourceAmount, side: "from" | "to" | null): boolean {
  const { amount } = claim;
  if (!isSame(amount, known, side, amount.roles.has("price") || ASKS_PRICE.test(claim.question))) return false;
  if (amount.bound !== null && known.bound !== null && amount.bound !== known.bound && !isTime(known)) return false;
  if (amount.per !== null && known.per !== null && amount.per !== known.per) return false;
  if (!isConditionMet(claim, known)) return false;
  return rolesAgree(amount.roles, known.roles);
}

const ASKS_LIMIT = /(?<!\p{L})(?:бесплатн|ничего\sне\sсто|даром|(?:от|с)\sкакой|(?:от|со)\sскольк)\p{L}{0,4}/iu;

/** A thing is free «от 6 000 рублей» or «до 7 лет» only if the answer repeats the limit. The limit itself is no price. */
function isConditionMet({ amount, amounts, question }: Claim, known: SourceAmount): boolean {
  if (known.bound !== null && known.local.has(FREE))
    return amount.bound === known.bound || amount.local.has(FREE) || ASKS_LIMIT.test(question);
  if (kindOf(known) !== "money" || !isFree(known)) return true;
  const said = new Set(amounts.map(({ company }) => company));
  return [...known.local].every((token) => !token.startsWith(CONDITION) || said.has(token.slice(CONDITION.length)));
}

const isFree = ({ readings }: StatedAmount): boolean =>
  readings.some((one) => one.kind === "quantity" && one.quantity.unit?.dimension === "free");

/** The verb, or the question, shows which end of the hours is meant, as in «открываемся в 20». */
const sideOf = ({ amount, sentence, question }: Claim): "from" | "to" | null =>
  endSpokenOf(clauseAround(sentence, amount.at)) ?? endSpokenOf(question);

const clauseAround = (sentence: string, at: number): string => {
  const from = Math.max(0, ...[",", ";", "—"].map((mark) => sentence.lastIndexOf(mark, at) + 1));
  const ends = [",", ";"].map((mark) => sentence.indexOf(mark, at)).filter((end) => end > 0);
  return sentence.slice(from, Math.min(sentence.length, ...ends));
};

/** Whether the roles of both amounts agree: a discount of 500 roubles is not a price of 500 roubles. */
function rolesAgree(said: ReadonlySet<Role>, known: ReadonlySet<Role>): boolean {
  const special = (roles: ReadonlySet<Role>) => [...roles].filter((role) => role !== "price");
  const wanted = special(said);
  if (wanted.length > 0) return wanted.some((role) => known.has(role));
  return !(said.has("price") && special(known).length > 0 && !known.has("price"));
}
