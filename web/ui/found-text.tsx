import { foundPieces } from "./found-pieces.ts";
import { wholeNumbers } from "./whole-numbers.ts";

interface FoundTextProps {
  text: string;
  search: string;
  within?: boolean;
  forms?: readonly string[];
}

export function FoundText({ text, search, within = false, forms }: FoundTextProps) {
  const pieces = foundPieces(text, search, within, forms).map(wholeNumbers);
  if (pieces.length === 1) return pieces[0];
  return pieces.map((piece, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
      <mark key={place} className="rounded-sm bg-primary-soft text-primary-text">
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
