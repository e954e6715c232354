/** Patterns of secrets in texts: keys, tokens, URLs with a password. */

/** Each pattern matches one form of secret, without the text around it. */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s\\:,.-]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?![\w+/=\s\\:,.-]))/g,
  // postgres://user:password@host/base, and every other scheme.
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#]{0,100}:[^\s@/?#]{1,200}@[^\s"'<>«»)\]]{1,500}/giu,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<![\p{L}\p{N}_-])whsec_[A-Za-z0-9+/=_-]{16,}/gu,
  /(?<![\p{L}\p{N}_-])(?:sk|pk|rk)[-_][\w-]{16,}|\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|y0_[\w-]{20,}|EAA[A-Za-z0-9]{30,}|hf_\w{20,}|npm_\w{20,})/gu,
  /\b\d{6,12}:[A-Za-z0-9_-]{30,}/g,
  /(?<=\bBearer\s{1,3})[\w.~+/=-]{16,}/gi,
];

export function withoutSecrets(text: string): string {
  // Fast path: without a long run of letters there is no secret.
  if (!/[\w+/=-]{10}|:\/\//.test(text)) return text;
  let masked = text;
  for (const form of SECRET_PATTERNS) masked = masked.replace(form, "[скрыто]");
  return masked;
}
