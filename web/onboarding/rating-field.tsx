import { clsx } from "clsx";
import { useId } from "react";

const ratings = [
  [1, "совсем не похоже"],
  [2, "мало похоже"],
  [3, "отчасти похоже"],
  [4, "похоже"],
  [5, "как будто ответили вы"],
] as const;

interface RatingFieldProps {
  value: number;
  onChange: (rating: number) => void;
  error?: string | undefined;
}

export function RatingField({ value, onChange, error }: RatingFieldProps) {
  const id = useId();
  const meaning = ratings.find(([rating]) => rating === value)?.[1];
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-md">Насколько ответ похож на ваш?</legend>
      <div className="flex flex-wrap items-center gap-2">
        {ratings.map(([rating, words]) => (
          <label
            key={rating}
            className={clsx(
              "grid size-11 cursor-pointer place-items-center rounded-md border font-semibold text-base tabular-nums transition-colors has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
              rating === value
                ? "border-primary bg-primary-soft text-primary-text"
                : "border-control bg-surface hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name={id}
              value={rating}
              checked={rating === value}
              aria-label={`${rating} — ${words}`}
              onChange={() => onChange(rating)}
              className="sr-only"
            />
            <span aria-hidden>{rating}</span>
          </label>
        ))}
        <span aria-hidden className="text-md text-muted max-sm:basis-full">
          {meaning ?? "1 — совсем не похоже, 5 — как будто ответили вы"}
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
