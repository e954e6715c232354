/** A mailbox on its own server, in one line: «imaps://имя:пароль@сервер». */

interface MailboxUrl {
  user: string;
  password: string;
  /** IMAP server as «сервер» or «сервер:порт». */
  imap: string;
  /** true: TLS from the first byte (imaps); false: STARTTLS (imap). */
  secure: boolean;
  /** SMTP host from the parameter `?smtp=`, in the same form as `imap`; null when it must be discovered. */
  smtp: string | null;
  /** Name that the server writes into Authentication-Results of each email, from the parameter `?authserv=`; null when unknown. */
  checkedBy: string | null;
}

const URL_FORM = /^(imaps?):\/\/([^:/\s]+):(.+)@([^@/?#\s]+)\/?(?:\?([^?#@/\s]+))?$/i;

export const looksLikeMailboxUrl = (text: string): boolean => /^imaps?:/i.test(text);

/** Accepts unescaped special characters, because people paste passwords as they are. Returns null for any other text. */
export function readMailboxUrl(text: string): MailboxUrl | null {
  const found = URL_FORM.exec(text);
  if (found === null) return null;
  const [, scheme, user, password, imap, query = ""] = found;
  const parameters = query === "" ? [] : query.split("&");
  if (!parameters.every((part) => /^(?:smtp|authserv)=[^=]/i.test(part))) return null;
  const parameter = (name: string) =>
    parameters.find((part) => part.toLowerCase().startsWith(name))?.slice(name.length) ?? null;
  return {
    user: unescaped(user!),
    password: unescaped(password!),
    imap: imap!,
    secure: scheme!.toLowerCase() === "imaps",
    smtp: parameter("smtp="),
    checkedBy: parameter("authserv="),
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
