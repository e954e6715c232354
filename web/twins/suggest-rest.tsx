import { clsx } from "clsx";
import { Sparkles, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { TwinInput } from "#contract/twins.ts";
import { Button } from "#web/ui/button.tsx";
import type { Manner, SuggestedField, Suggestion } from "./suggest-fields.ts";

const MANNERS: readonly { manner: Manner; name: string; about: string }[] = [
  { manner: "business", name: "Бизнес", about: "Клиентам, на «вы» и по делу" },
  { manner: "friends", name: "Для друзей", about: "Своим, на «ты» и попроще" },
];

const NAMES: Record<SuggestedField, string> = {
  personality: "Личность",
  communicationStyle: "Стиль общения",
  knowledgeArea: "Область знаний",
};

/** Fills empty fields of the form from its description and the chosen manner; typed values stay. */
export function SuggestRest({ form }: { form: UseFormReturn<TwinInput> }) {
  const [manner, setManner] = useState<Manner>("business");
  const [news, setNews] = useState<string>();
  const suggested = useRef<Partial<Suggestion>>({});

  const stillSuggested = () =>
    (Object.keys(suggested.current) as SuggestedField[]).filter(
      (field) => form.getValues(field) === suggested.current[field],
    );
  const set = (field: SuggestedField, text: string) =>
    form.setValue(field, text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  async function fill(as: Manner) {
    if (!(await form.trigger("description", { shouldFocus: true }))) return;
    const { suggestFields, suggestedFields } = await import("./suggest-fields.ts");
    const suggestion = suggestFields(form.getValues("description"), as);
    const own = stillSuggested();
    const fields = suggestedFields.filter((field) => own.includes(field) || form.getValues(field).trim() === "");
    suggested.current = Object.fromEntries(fields.map((field) => [field, suggestion[field]]));
    for (const field of fields) set(field, suggestion[field]);
    setNews(
      fields.length === 0
        ? "Пустых полей нет: написанное вами не изменено."
        : `Предложено: ${fields.map((field) => NAMES[field]).join(", ")}. Поправьте под себя.`,
    );
  }

  function choose(next: Manner) {
    setManner(next);
    // Unchanged suggestions follow a new choice of manner.
    if (stillSuggested().length > 0) void fill(next);
  }

  function undo() {
    for (const field of stillSuggested()) set(field, "");
    suggested.current = {};
    setNews(undefined);
  }

  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-medium text-md">Как он говорит</legend>
        <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          {MANNERS.map(({ manner: value, name, about }) => (
            <label
              key={value}
              className={clsx(
                "flex cursor-pointer items-start gap-3 rounded-lg border bg-surface px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
                value === manner ? "border-primary" : "border-control hover:bg-hover",
              )}
            >
              <input
                type="radio"
                name="manner"
                value={value}
                checked={value === manner}
                onChange={() => choose(value)}
                className="mt-0.5 size-4.5 shrink-0 accent-primary outline-none"
              />
              <span className="min-w-0">
                <span className="block font-medium text-md">{name}</span>
                <span className="block text-muted text-sm">{about}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={() => void fill(manner)}>
          <Sparkles aria-hidden className="icon" />
          Предложить остальное
        </Button>
        {news !== undefined && Object.keys(suggested.current).length > 0 && (
          <Button variant="ghost" onClick={undo}>
            <Undo2 aria-hidden className="icon" />
            Отменить
          </Button>
        )}
      </div>
      <p role="status" className="text-muted text-sm">
        {news ?? "Заполнит пустые поля по описанию; написанное вами не изменит."}
      </p>
    </div>
  );
}
