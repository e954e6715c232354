import type { ReactNode } from "react";
import { type Block, blocksOf } from "./blocks.ts";
import { type Inline, inlineOf } from "./inline.ts";

/** Renders Markdown: headings, lists, tables, quotations, emphasis and links. Everything else, including HTML, stays text. */
export function Markdown({ text }: { text: string }) {
  return blocksOf(text).map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text
    <BlockOf key={place} block={block} />
  ));
}

function BlockOf({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      // Headings rank below the heading of the surrounding view, whatever their level in the text.
      return (
        <h3 className={block.level === 1 ? "text-lg" : "text-base"}>
          <Line text={block.text} />
        </h3>
      );
    case "list": {
      const items = block.items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of one list
        <li key={place}>
          <Line text={item} />
        </li>
      ));
      return block.ordered ? (
        <ol start={block.start} className="list-decimal ps-5">
          {items}
        </ol>
      ) : (
        <ul className="list-disc ps-5">{items}</ul>
      );
    }
    case "table":
      return <Table head={block.head} rows={block.rows} />;
    case "quote":
      return (
        <blockquote className="border-control border-s ps-3">
          <Line text={block.text} />
        </blockquote>
      );
    case "code":
      return <pre className="overflow-x-auto font-mono text-sm">{block.text}</pre>;
    case "rule":
      return <hr className="border-t" />;
    case "paragraph":
      return (
        <p className="whitespace-pre-wrap">
          <Line text={block.text} />
        </p>
      );
  }
}

function Table({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <table className="w-full text-md">
      <thead>
        <tr className="border-b">
          {head.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of one table
            <th key={place} scope="col" className="py-1.5 pe-4 text-start font-semibold">
              <Line text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one table
          <tr key={row}>
            {head.map((_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of one table
              <td key={place} className="py-1.5 pe-4 align-top">
                <Line text={cells[place] ?? ""} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Line = ({ text }: { text: string }) => elementsOf(inlineOf(text));

const elementsOf = (pieces: readonly Inline[]): ReactNode[] =>
  pieces.map((piece, place) => {
    if (typeof piece === "string") return piece;
    const key = place;
    if (piece.kind === "code")
      return (
        <code key={key} className="font-mono text-sm">
          {piece.text}
        </code>
      );
    const inside = elementsOf(piece.inside);
    if (piece.kind === "strong") return <strong key={key}>{inside}</strong>;
    if (piece.kind === "em") return <em key={key}>{inside}</em>;
    return (
      <a
        key={key}
        href={piece.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-primary-text underline underline-offset-4"
      >
        {inside}
      </a>
    );
  });
