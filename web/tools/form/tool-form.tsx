import { useState } from "react";
import { type Path, useForm } from "react-hook-form";
import { Link } from "wouter";
import { type Tool, ToolInput, type TrialInput } from "#contract/actions/tools.ts";
import { ApiError } from "#web/api/api-error.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { Button } from "#web/ui/button.tsx";
import { DraftNote } from "#web/ui/forms/draft-note.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { BackToTools } from "../back-to-tools.tsx";
import { NeedsModel } from "../needs-model.tsx";
import { useSaveTool, useTryTool, useTwinCrm } from "../queries.ts";
import { degreesOf } from "../tool-words.ts";
import { placesOf, resultOf } from "./answer/answer-places.ts";
import { AnswerTree, ChosenPlaces } from "./answer/answer-tree.tsx";
import { Trial } from "./answer/trial.tsx";
import { ChoiceRows } from "./choice-rows.tsx";
import { faultsOf } from "./faults.ts";
import { formKinds } from "./form-kinds.tsx";
import { ChoiceError, errorAt } from "./form-parts.tsx";
import {
  inputOf,
  isForEverybody,
  mayChange,
  placeInForm,
  SECRETS,
  type ToolKind,
  type ToolValues,
  valuesOf,
} from "./form-values.ts";
import { formWordsOf } from "./kinds/kind-words.ts";
import { ProofFields } from "./proof-fields.tsx";
import { WhenFields } from "./when-fields.tsx";

interface ToolFormProps {
  twinId: string;
  kind: ToolKind;
  /** undefined: a new one. */
  tool: Tool | undefined;
  /** Id of the connection whose actions are listed first, whatever a draft has; null: none is. */
  of: string | null;
  /** The address of the list. */
  back: string;
  onSaved: (tool: Tool) => void;
}

/** Makes or changes a tool, in steps on one page. */
export default function ToolForm({ twinId, kind, tool, of, back, onSaved }: ToolFormProps) {
  const form = useForm<ToolValues>({ defaultValues: valuesOf(tool, kind) });
  const draft = useFormDraft(form, `tool:${twinId}:${tool?.id ?? kind}`, SECRETS);
  const save = useSaveTool(twinId);
  const trial = useTryTool(twinId);
  const [listed, setListed] = useState(kind === "mcp" ? of : null);
  const [saveError, setSaveError] = useState<unknown>(null);
  const [trialError, setTrialError] = useState<unknown>(null);
  const { watch, setValue, setError, clearErrors } = form;
  const values = watch();
  const { title, source, columnsOf, fieldsOf, ...parts } = formKinds[kind];
  const changes = mayChange(kind) && values.changes;
  const crm = useTwinCrm(twinId, kind === "crm").chosen;
  const isReady = listed === null && parts.isReady(values) && (kind !== "crm" || crm !== undefined);

  /** Shows all faults at their fields; the first one on the page gets the focus. Returns whether each had a field. */
  function place(faults: readonly (readonly [path: string, message: string])[]): boolean {
    const placed = faults.flatMap(([path, message]) => {
      const at = placeInForm(kind, path);
      return at === null ? [] : [[at as Path<ToolValues>, message] as const];
    });
    for (const [name, message] of placed) setError(name, { message });
    requestAnimationFrame(() => {
      const first = document.querySelector<HTMLElement>("form [aria-invalid=true], form [role=alert]");
      // A choice without a field of its own takes no focus, so the page at least goes there.
      first?.focus({ preventScroll: true });
      first?.scrollIntoView?.({ block: "center", behavior: "instant" });
    });
    return placed.length === faults.length;
  }

  const refuse = (show: (error: unknown) => void) => (error: unknown) => {
    const fields = error instanceof ApiError ? Object.entries(error.serverMessage?.fields ?? {}) : [];
    if (fields.length === 0 || !place(fields)) show(error);
  };

  const submit = useSingleFlight(async () => {
    clearErrors();
    setSaveError(null);
    const input = inputOf(kind, form.getValues(), tool?.enabled ?? true);
    const found = ToolInput.safeParse(input);
    const issues = found.error?.issues ?? [];
    const faults = [...issues.map(({ path, message }) => [path.join("."), message] as const), ...faultsOf(input)];
    if (faults.length > 0) {
      if (!place(faults)) setSaveError(new Error(faults[0]![1]));
      return;
    }
    const saved = await save.mutateAsync({ id: tool?.id, tool: input }).catch(refuse(setSaveError));
    if (!saved) return;
    draft.drop();
    onSaved(saved);
  });

  const tryOut = useSingleFlight(async (sample: TrialInput) => {
    clearErrors();
    setTrialError(null);
    const input = inputOf(kind, form.getValues(), false);
    const { proof } = input;
    // What proves a result is chosen by the first answer, so a trial without any proof shows the whole.
    const unproven = proof.channelPhone === null && proof.asked.length === 0;
    const draftTool = {
      ...input,
      title: input.title.trim() || title,
      ...(unproven && { proof: { ...proof, everybody: true } }),
    };
    await trial.mutateAsync({ toolId: tool?.id, tool: draftTool, sample }).catch(refuse(setTrialError));
  });

  const answer = trial.data?.answer ?? "";
  const own = fieldsOf(values);
  const proofs =
    changes || isForEverybody(kind) || values.scope === "everybody"
      ? []
      : values.asked.map(({ label }, at) => ({ name: `proof${at + 1}`, label: label || `Вопрос ${at + 1}` }));
  const required = own.filter((field) => field.required);
  const slot = required.length > 1 ? null : (required[0]?.label ?? "");

  const check = (
    <Trial
      fields={[...own, ...proofs].filter(({ name }) => name !== "")}
      changes={changes}
      busy={trial.isPending}
      error={trialError}
      result={trial.data}
      onTry={(sample) => void tryOut(sample)}
      shown={
        columnsOf === null && (trial.data?.call.result.length ?? 0) > 0 && (!changes || values.places.length > 0)
          ? resultOf(answer, values.resultPath.trim(), values.places)
          : null
      }
    >
      <AnswerTree form={form} answer={answer} />
    </Trial>
  );
  const proof = (
    <SettingsGroup id="tool-proof" title="Кому это можно сказать" description={formWordsOf(kind, false).secret}>
      <ProofFields
        form={form}
        kind={kind}
        columns={columnsOf?.(values) ?? null}
        columnNames={parts.columnNames}
        places={(placesOf(answer) ?? []).filter(({ value }) => value !== null)}
      />
    </SettingsGroup>
  );

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="mb-6 flex flex-col gap-3">
        <BackToTools twinId={twinId} />
        <h2 className="text-xl">
          {tool === undefined ? "Новое действие" : tool.title}
          <span className="text-muted">: {title[0]!.toLocaleLowerCase("ru-RU") + title.slice(1)}</span>
        </h2>
        {listed === null && <DraftNote restored={draft.restored} onUndo={draft.undo} />}
      </div>
      <SettingsGroup id="tool-source" title={source.title} description={source.description}>
        {source.fields({
          ...{ form, twinId, listed },
          onListed: (isDraft) => {
            // What a draft has of another action is no part of this one.
            if (!isDraft) draft.undo();
            setListed(null);
          },
        })}
      </SettingsGroup>
      {columnsOf === null && isReady && (
        <SettingsGroup
          id="tool-trial"
          title="Проверка"
          description="Вызовите на примере и нажмите в ответе на то, что нужно сообщить собеседнику"
        >
          <div className="flex flex-col gap-5">
            {check}
            <ChosenPlaces form={form} />
          </div>
        </SettingsGroup>
      )}
      {isReady && (
        <>
          {!changes && !isForEverybody(kind) && proof}
          <SettingsGroup
            id="tool-when"
            title="Когда это нужно"
            description="Название и примеры видите вы, по ним двойник понимает, что его просят об этом"
          >
            <WhenFields form={form} kind={kind} slot={slot} />
          </SettingsGroup>
          <SettingsGroup id="tool-degree" title="Как вызывать">
            <ChoiceRows
              legend="Как вызывать"
              name="degree"
              value={values.degree}
              choices={degreesOf(kind).map(([value, words]) => ({
                value,
                ...words,
                ...(value === "itself" && changes
                  ? { whyNot: "Нельзя: это действие что-то меняет, и без вас двойник его не вызовет" }
                  : {}),
              }))}
              onChange={(degree) => setValue("degree", degree, { shouldDirty: true })}
            />
            <ChoiceError message={errorAt(form, "degree")} />
          </SettingsGroup>
          {columnsOf !== null && (
            <SettingsGroup id="tool-trial" title="Проверка" description="Спросите так, как спросил бы собеседник">
              {check}
            </SettingsGroup>
          )}
        </>
      )}
      <div className="flex flex-col gap-3 border-t pt-4">
        <FormError error={saveError} />
        {tool !== undefined && <NeedsModel tool={tool} />}
        <div className="flex flex-wrap gap-2">
          {isReady && (
            <Button type="submit" variant="primary" className="max-sm:w-full" busy={save.isPending}>
              {save.isPending ? "Сохранение..." : tool === undefined ? "Создать действие" : "Сохранить"}
            </Button>
          )}
          <Button asChild className="max-sm:w-full">
            <Link href={back} onClick={draft.drop}>
              Отмена
            </Link>
          </Button>
        </div>
      </div>
    </form>
  );
}
