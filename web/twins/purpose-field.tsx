import { clsx } from "clsx";
import { useId } from "react";
import type { TwinPurpose } from "#contract/twins.ts";

const PURPOSES: readonly { purpose: TwinPurpose; name: string; about: string }[] = [
  {
    purpose: "business",
    name: "Бизнес",
    about: "Пишет по делу. Говорит только то, что есть в документах и ваших ответах",
  },
  {
    purpose: "friends",
    name: "Для друзей",
    about: "Пишет проще. На общие темы говорит сам, о вас — только то, что вы рассказали",
  },
];

interface PurposeFieldProps {
  value: TwinPurpose;
  onChange: (next: TwinPurpose) => void;
}

/** What the twin is for, which decides how freely it may talk. */
export function PurposeField({ value, onChange }: PurposeFieldProps) {
  const hint = useId();
  return (
    <fieldset aria-describedby={hint} className="@container min-w-0">
      <legend className="mb-1.5 font-medium text-md">Для чего двойник</legend>
      {/* By the width of the form, which a column beside it makes narrow on a wide screen. */}
      <div className="grid grid-cols-1 gap-2 @xl:grid-cols-2">
        {PURPOSES.map(({ purpose, name, about }) => (
          <label
            key={purpose}
            className={clsx(
              "flex cursor-pointer items-start gap-3 rounded-lg border bg-surface px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
              purpose === value ? "border-primary" : "border-control hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name="purpose"
              value={purpose}
              checked={purpose === value}
              onChange={() => onChange(purpose)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium text-md">{name}</span>
              <span className="block text-muted text-sm">{about}</span>
            </span>
          </label>
        ))}
      </div>
      {/* The answers read the style, the measured manner and the corrections; the choice decides only what may be said. */}
      <p id={hint} className="mt-1.5 text-muted text-sm">
        «Ты» или «вы» от&nbsp;этого не&nbsp;зависит: решают стиль общения, ваша переписка и&nbsp;поправки.
      </p>
    </fieldset>
  );
}
