import { Sparkles, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { TwinInput, TwinPurpose } from "#contract/twins.ts";
import { Button } from "#web/ui/button.tsx";
import { PurposeField } from "./purpose-field.tsx";
import type { SuggestedField, Suggestion } from "./suggest-fields.ts";

const NAMES: Record<SuggestedField, string> = {
  personality: "Личность",
  communicationStyle: "Стиль общения",
  knowledgeArea: "Область знаний",
};

/** Asks what the twin is for, and fills empty fields of the form from its description for them; typed values stay. */
export function SuggestRest({ form, purpose }: { form: UseFormReturn<TwinInput>; purpose: TwinPurpose }) {
  const [news, setNews] = useState<string>();
  const suggested = useRef<Partial<Suggestion>>({});

  const stillSuggested = () =>
    (Object.keys(suggested.current) as SuggestedField[]).filter(
      (field) => form.getValues(field) === suggested.current[field],
    );
  const set = (field: SuggestedField, text: string) =>
    form.setValue(field, text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  async function fill(as: TwinPurpose) {
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

  function choose(next: TwinPurpose) {
    form.setValue("purpose", next, { shouldDirty: true });
    // Unchanged suggestions follow a new choice.
    if (stillSuggested().length > 0) void fill(next);
  }

  function undo() {
    for (const field of stillSuggested()) set(field, "");
    suggested.current = {};
    setNews(undefined);
  }

  return (
    <>
      <PurposeField value={purpose} onChange={choose} />
      <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button onClick={() => void fill(purpose)}>
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
    </>
  );
}
