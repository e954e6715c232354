import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link } from "wouter";
import type { Tool } from "#contract/actions/tools.ts";
import { ApiError } from "#web/api/api-error.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { DraftNote } from "#web/ui/forms/draft-note.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { BackToTools } from "../back-to-tools.tsx";
import { NeedsModel } from "../needs-model.tsx";
import { useSaveTool, useTools, useTwinCrm } from "../queries.ts";
import { degreesOf } from "../tool-words.ts";
import { placesOf } from "./answer/answer-places.ts";
import { AnswerTree, ChosenPlaces } from "./answer/answer-tree.tsx";
import { Trial } from "./answer/trial.tsx";
import { isPickable, learnedOf } from "./answer/trial-outcome.ts";
import { TrialResult } from "./answer/trial-result.tsx";
import { useTrial } from "./answer/use-trial.ts";
import { FaultList } from "./check/fault-list.tsx";
import { useFaults } from "./check/use-faults.ts";
import { ChoiceRows } from "./choice-rows.tsx";
import { formKinds } from "./form-kinds.tsx";
import { ChoiceError, errorAt } from "./form-parts.tsx";
import {
  inputOf,
  isForEverybody,
  mayChange,
  SECRETS,
  type ToolKind,
  type ToolValues,
  valuesOf,
} from "./form-values.ts";
import { formWordsOf } from "./kinds/kind-words.ts";
import { toolsLackingKeys } from "./kinds/shared-keys.ts";
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
  const [listed, setListed] = useState(kind === "mcp" ? of : null);
  const [sharesKey, setSharesKey] = useState(true);
  const [saveError, setSaveError] = useState<unknown>(null);
  const { watch, setValue } = form;
  const values = watch();
  const { title, source, columnsOf, fieldsOf, ...parts } = formKinds[kind];
  const changes = mayChange(kind) && values.changes;
  const crm = useTwinCrm(twinId, kind === "crm").chosen;
  const isReady = listed === null && parts.isReady(values) && (kind !== "crm" || crm !== undefined);

  // A description gives several calls with one key.
  const others = useTools(twinId, kind === "http").data ?? [];
  const lacking = toolsLackingKeys(inputOf(kind, values, false), tool?.id, others);
  const faults = useFaults(form, kind, values, tool?.enabled ?? true);

  const refuse = (error: unknown, show: (error: unknown) => void) => {
    const fields = error instanceof ApiError ? Object.entries(error.serverMessage?.fields ?? {}) : [];
    if (fields.length === 0 || !faults.place(fields, false)) show(error);
  };

  const submit = useSingleFlight(async () => {
    faults.clear();
    setSaveError(null);
    const input = inputOf(kind, form.getValues(), tool?.enabled ?? true);
    const found = faults.check(input);
    if (found.length > 0) {
      if (!faults.place(found, true)) setSaveError(new Error(found[0]![1]));
      return;
    }
    const saved = await save
      .mutateAsync({ id: tool?.id, tool: input })
      .catch((error: unknown) => refuse(error, setSaveError));
    if (!saved) return;
    if (sharesKey)
      for (const { id, tool: other } of lacking)
        await save.mutateAsync({ id, tool: other }).catch(toastError("Ключ сохранён не\u00a0во\u00a0все действия"));
    draft.drop();
    onSaved(saved);
  });

  const trial = useTrial({
    ...{ twinId, toolId: tool?.id, input: inputOf(kind, values, false), title },
    ...{ onBegin: faults.clear, onError: refuse },
  });

  const { result } = trial;
  // An error of the system has other places than a result.
  const places = (trial.answer && isPickable(trial.answer) ? placesOf(trial.answer.answer) : null) ?? [];
  const own = fieldsOf(values);
  const proofs =
    changes || isForEverybody(kind) || values.scope === "everybody"
      ? []
      : values.asked.map(({ label }, at) => ({ name: `proof${at + 1}`, label: label || `Вопрос ${at + 1}` }));
  const required = own.filter((field) => field.required);
  const slot = required.length > 1 ? null : (required[0]?.label ?? "");

  const check = (
    <div className="flex flex-col gap-4">
      <Trial
        fields={[...own, ...proofs].filter(({ name }) => name !== "")}
        changes={changes}
        busy={trial.busy}
        error={trial.error}
        isStale={trial.isStale}
        onTry={trial.run}
      />
      {result && (
        <TrialResult
          key={trial.id}
          kind={kind}
          result={result}
          learned={columnsOf === null ? learnedOf(result, values, changes) : null}
        >
          <AnswerTree form={form} answer={result.answer} canPick={isPickable(result)} />
        </TrialResult>
      )}
    </div>
  );
  const proof = (
    <SettingsGroup id="tool-proof" title="Кому это можно сказать" description={formWordsOf(kind, false).secret}>
      <ProofFields
        form={form}
        kind={kind}
        columns={columnsOf?.(values) ?? null}
        columnNames={parts.columnNames}
        places={places.filter(({ value }) => value !== null)}
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
            <WhenFields form={form} kind={kind} slot={slot} taken={tool?.taken ?? []} />
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
        {lacking.length > 0 && (
          <Checkbox checked={sharesKey} onChange={({ target }) => setSharesKey(target.checked)}>
            Сохранить этот ключ и&nbsp;в&nbsp;других действиях адреса {lacking[0]!.host}
            <span className="block text-sm text-subtle">
              Там его не&nbsp;хватает: {lacking.map((one) => one.tool.title).join(", ")}
            </span>
          </Checkbox>
        )}
        <FormError error={saveError} />
        <FaultList faults={faults.shown} values={values} />
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
