/** Top-level domains that are recognised even in addresses written apart, and look-alike letters. */

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Domains that are rarely used as words. */
const NARROW = words("com net org ru su biz xyz info io рф рус срб укр бел");
/** Domains that are also words or abbreviations; the context decides. */
const WIDE = words(
  `name pro mobi app dev page site website online store shop market sale deals discount club live life world today news blog press media
  agency studio design digital marketing cloud host hosting space tech technology software solutions systems network email link click top
  vip win bid loan icu cyou cfd sbs buzz fun games game bet casino poker sex porn cam chat social support help center group team company
  business consulting finance money cash credit bank insurance health care clinic dental fit restaurant cafe pizza coffee beer wine fashion
  jewelry photo photography gallery art video music film moscow tatar wiki work works zone tools run red pink black gold ltd llc gmbh inc
  ua by kz uz kg am ge az md lt lv ee pl de fr it es uk us ca cn jp kr in ai co me tv cc ws to ly gg gl gd im sh st la is fm vc ag bz mn
  nu pw tk ml ga cf gq eu ch at be nl se no fi dk cz sk hu ro bg rs tr il ae sa sg hk tw vn th id my ph br mx ar cl au nz za`,
);
/** Domains as they are pronounced in Russian. */
const SPOKEN: ReadonlyMap<string, string> = new Map(
  Object.entries({ ру: "ru", ком: "com", орг: "org", инфо: "info", нет: "net", шоп: "shop", ио: "io", про: "pro" }),
);
const OWN_WORDS = words("нет про");

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аеорсухківмнтѕјԁԛԝαοерсνι"].map((letter, at) => [letter, [..."aeopcyxkibmhtsjdqwaoepcvi"][at]!]),
);

const plain = (label: string): string => label.normalize("NFKC").toLowerCase();
const latinOf = (label: string): string => [...label].map((letter) => LOOKALIKES.get(letter) ?? letter).join("");
export const isMixed = (label: string): boolean =>
  /\p{Script=Latin}/u.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(label);

/** Whether the label is a top-level domain, also in letters that only look Latin («сом» for «com»; not «ее», which is a word). */
export function isZone(label: string): boolean {
  const said = plain(label);
  if (NARROW.has(said) || WIDE.has(said) || said.startsWith("xn--")) return true;
  const looks = latinOf(said);
  return (looks.length > 2 || isMixed(said)) && looks !== said && (NARROW.has(looks) || WIDE.has(looks));
}

export const isNarrowZone = (label: string): boolean => {
  const said = plain(label);
  return NARROW.has(said) || said.startsWith("xn--") || (isZone(said) && latinOf(said) !== said);
};

export const isCyrillicZone = (label: string): boolean =>
  /^\p{Script=Cyrillic}+$/u.test(label) && NARROW.has(plain(label));

/** Returns the pronounced domain («ком», «ру»); null if it is none. @param afterLatin whether a Latin label precedes it */
export function spokenZone(label: string, afterLatin: boolean): string | null {
  const said = plain(label);
  return OWN_WORDS.has(said) && !afterLatin ? null : (SPOKEN.get(said) ?? null);
}
