import { Link } from "wouter";
import type { FactVariant } from "#contract/knowledge/chat-facts.ts";
import { paths } from "#web/paths.ts";

interface LetterLinkProps {
  twinId: string;
  variant: FactVariant;
}

/** Leads to the message that an answer was read from. */
export function LetterLink({ twinId, variant }: LetterLinkProps) {
  return (
    <Link
      href={paths.letter(twinId, variant.message)}
      className="inline-block py-1 text-primary-text text-sm underline underline-offset-4"
    >
      Показать в&nbsp;переписке<span className="sr-only">: {variant.reply}</span>
    </Link>
  );
}
