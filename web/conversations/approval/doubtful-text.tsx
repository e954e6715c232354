/** The text of a draft in which the places are marked that no source has. */
export function DoubtfulText({ text, doubtful = [] }: { text: string; doubtful?: readonly string[] | undefined }) {
  return partsOf(text, doubtful).map(({ from, part, isDoubtful }) =>
    isDoubtful ? (
      <mark
        key={from}
        title="Этого нет ни в документах, ни в разговоре"
        className="rounded-sm bg-warning-soft px-0.5 text-warning-text"
      >
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

interface Part {
  from: number;
  part: string;
  isDoubtful: boolean;
}

/** Divides the text at the doubtful pieces; a piece that does not stand in it, as after an edit, marks nothing. */
export function partsOf(text: string, doubtful: readonly string[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const next = doubtful
      .map((piece) => ({ piece, from: piece === "" ? -1 : text.indexOf(piece, at) }))
      .filter(({ from }) => from >= 0)
      .sort((a, b) => a.from - b.from || b.piece.length - a.piece.length)[0];
    if (next === undefined) break;
    if (next.from > at) parts.push({ from: at, part: text.slice(at, next.from), isDoubtful: false });
    parts.push({ from: next.from, part: next.piece, isDoubtful: true });
    at = next.from + next.piece.length;
  }
  return at < text.length ? [...parts, { from: at, part: text.slice(at), isDoubtful: false }] : parts;
}
