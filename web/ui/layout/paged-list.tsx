import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { Button } from "../button.tsx";
import { Input } from "../forms/input.tsx";

export const ROWS_WITHOUT_SEARCH = 10;

/** The search text, which is kept in the URL as `?q=`. */
export function useSearchWords(): [string, (words: string) => void] {
  const [search, setSearch] = useSearchParams();
  function change(words: string) {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (words) next.set("q", words);
        else next.delete("q");
        return next;
      },
      { replace: true },
    );
  }
  return [search.get("q") ?? "", change];
}

interface SearchRowProps {
  label: string;
  placeholder: string;
  words: string;
  onChange: (words: string) => void;
}

export function SearchRow({ label, placeholder, words, onChange }: SearchRowProps) {
  return (
    <div className="pb-3">
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={words}
        onChange={(event) => onChange(event.target.value)}
        className="sm:max-w-80"
      />
    </div>
  );
}

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  children?: ReactNode;
}

export function MoreRows({ query, children = "Показать ещё" }: MoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="border-t p-3 text-center">
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
