import { splitAtMasks } from "#contract/knowledge/chat-facts.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

export function MaskedText({ text }: { text: string }) {
  return splitAtMasks(text).map((piece, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
      <mark key={place} className="rounded-sm bg-warning-soft px-0.5 text-warning-text">
        {piece}
      </mark>
    ) : (
      wholeNumbers(piece)
    ),
  );
}
