import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { clsx } from "clsx";
import { lazy, Suspense, useCallback, useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { DocumentInput, DocumentUploadFields, MAX_UPLOAD_BYTES } from "#contract/knowledge/knowledge.ts";
import { plural } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import { acceptedFiles, refusalOf } from "#web/parts/documents/accepted-files.ts";
import { documentTypes } from "#web/parts/documents/document-names.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { type TwinChoice, TwinField } from "#web/parts/twins/twin-field.tsx";
import { useFormDraft } from "#web/session/form-draft.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { addFiles, retryFile, sendChosenFiles, useFileUploads } from "./file-uploads.ts";
import { useUploadDocument } from "./queries.ts";

const FileList = lazy(() => import("./file-list.tsx"));

const tags = z
  .string()
  .check(
    z.refine(
      (text) => DocumentInput.shape.tags.safeParse(tagsOf(text)).success,
      "Не больше 1 000 тегов, каждый до 4 000 символов",
    ),
  );
/** Values of the form; files have their own name and content. */
const TypedDocument = z.extend(DocumentInput, { tags });
const FileFields = z.extend(DocumentUploadFields, {
  // An empty name means the file's own name.
  name: z.string().check(z.trim(), z.maxLength(4000, "Слишком длинное название")),
  tags,
});

/** Used when each of several files has its own type. */
const FileFieldsWithoutType = z.extend(FileFields, { type: z.string() });

const typedResolver = standardSchemaResolver(TypedDocument);
// Only the upload fields of the resolvers' results are used.
const filesResolver = standardSchemaResolver(FileFields) as unknown as typeof typedResolver;
const typedFilesResolver = standardSchemaResolver(FileFieldsWithoutType) as unknown as typeof typedResolver;

type Values = z.input<typeof TypedDocument>;
// A select holds "" while nothing is chosen; the schema rejects it with a message.
const empty = { digitalTwinId: "", name: "", type: "" as Values["type"], content: "", tags: "" };

const tagsOf = (text: string) =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

export function DocumentForm({ twins, twinId, onTwin, readOnly }: TwinChoice) {
  const files = useFileUploads();
  const waiting = files.filter(({ status }) => status === "chosen");
  const chosen = waiting.length;
  // Each of several files has its own type. The common type is requested only when a file has none.
  const asksType = chosen < 2 || waiting.some(({ type }) => type === "");
  const sending = files.some(({ status }) => status === "waiting" || status === "sending");
  // Chosen files replace the typed text until they are sent.
  const withFiles = chosen > 0 || sending;
  const named = !withFiles || chosen === 1;
  const form = useForm<Values>({
    defaultValues: empty,
    resolver: !withFiles ? typedResolver : asksType ? filesResolver : typedFilesResolver,
  });
  const { drop: clearDraft } = useFormDraft(form, "train-document");
  const upload = useUploadDocument();
  const { errors, isSubmitted } = form.formState;
  const { getValues, setValue } = form;
  useEffect(() => setValue("digitalTwinId", twinId, { shouldValidate: isSubmitted }), [setValue, twinId, isSubmitted]);

  const documents = useDocuments().data;
  /** Values derived from the files. Later files replace them, but they never replace typed values. */
  const filled = useRef<Partial<Values>>({});
  const fill = useCallback(
    (field: "name" | "type", value: string) => {
      const now = getValues(field);
      if (now !== "" && now !== filled.current[field]) return;
      filled.current = { ...filled.current, [field]: value };
      setValue(field, value, { shouldValidate: isSubmitted });
    },
    [getValues, setValue, isSubmitted],
  );
  const take = async (added: File[]) => {
    const { titleOf, typeOf } = await import("#web/parts/documents/guess-document.ts");
    const type = getValues("type");
    const byHand = type !== (filled.current.type ?? "") && type;
    const guess = async (file: File) => byHand || (refusalOf(file) ? "" : ((await typeOf(file)) ?? ""));
    addFiles(await Promise.all(added.map(async (file) => ({ file, type: await guess(file) }))));
    const first = added.find((file) => !refusalOf(file));
    if (!first) return;
    // Preselects the twin taught last, because a user with several twins usually continues with it.
    const last = documents?.find(({ digitalTwinId }) => twins.some(({ id }) => id === digitalTwinId));
    if (twinId === "" && last) onTwin(last.digitalTwinId);
    fill("name", titleOf(first));
  };
  // The common field shows a single file's type; it does not apply to several files.
  const commonType = chosen === 1 ? waiting[0]!.type : "";
  useEffect(() => {
    if (chosen > 0) fill("type", commonType);
  }, [chosen, commonType, fill]);
  useEffect(() => {
    if (withFiles || !filled.current.name) return;
    setValue("name", "");
    filled.current.name = "";
  }, [withFiles, setValue]);

  const send = useSingleFlight(async (values: Values) => {
    if (withFiles) {
      sendChosenFiles({ ...values, name: chosen === 1 ? values.name : "" });
      return setValue("name", "");
    }
    try {
      await upload.mutateAsync({ ...values, tags: tagsOf(values.tags) });
    } catch {
      return; // The toast has reported the failure; typed values stay.
    }
    form.reset({ ...empty, digitalTwinId: twinId });
    clearDraft();
  });
  const submit = form.handleSubmit(send);

  return (
    <Card aria-labelledby="document-form">
      <CardHeader
        id="document-form"
        title="Загрузить документ"
        lead
        description="Файл или текст. С файлом название и тип подставятся сами."
      />
      <CardBody>
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          <ReadOnly reason={readOnly}>
            <div className="flex min-w-0 flex-col gap-1.5">
              <span aria-hidden className="font-medium text-md">
                Файл
              </span>
              <FileDrop
                {...(withFiles ? { label: "Добавить ещё файлы" } : {})}
                hint={`txt, md, html, pdf, docx, xlsx, csv, картинки и записи голоса; до ${formatSize(MAX_UPLOAD_BYTES)} каждый`}
                accept={acceptedFiles.join(",")}
                disabled={readOnly !== null}
                onFiles={(added) => void take(added)}
              />
              <Suspense>{files.length > 0 && <FileList files={files} onRetry={retryFile} />}</Suspense>
            </div>
            {/* By the width of the form: the panel beside it leaves no room for three fields on a desktop of 1100 px. */}
            <div className="@container">
              <div
                className={clsx("grid grid-cols-1 gap-5", named ? "@xl:grid-cols-3" : asksType && "@sm:grid-cols-2")}
              >
                <TwinField
                  twins={twins}
                  error={errors.digitalTwinId?.message}
                  {...form.register("digitalTwinId", { onChange: (event) => onTwin(event.target.value) })}
                />
                {named && (
                  <Field label="Название документа" required={!withFiles} error={errors.name?.message}>
                    <Input placeholder="Например, «Доставка»" {...form.register("name")} />
                  </Field>
                )}
                {asksType && (
                  <Field
                    label="Тип документа"
                    required
                    error={errors.type?.message}
                    {...(chosen > 1 ? { hint: "Для файлов, у которых нет своего" } : {})}
                  >
                    <Select placeholder="Выберите тип" {...form.register("type")}>
                      {documentTypes.map(({ type, name }) => (
                        <option key={type} value={type}>
                          {name}
                        </option>
                      ))}
                    </Select>
                  </Field>
                )}
              </div>
            </div>
            {!withFiles && (
              <Field label="Содержимое" required error={errors.content?.message} hint="Минимум 50 символов">
                <Textarea
                  className="min-h-40!"
                  placeholder="Или вставьте сюда текст документа"
                  {...form.register("content")}
                />
              </Field>
            )}
            <Field label="Теги" error={errors.tags?.message} hint="Через запятую, необязательно">
              <Input placeholder="доставка, оплата" {...form.register("tags")} />
            </Field>
            <Button
              type="submit"
              variant="primary"
              className="self-start max-sm:w-full"
              busy={upload.isPending || (sending && chosen === 0)}
            >
              {upload.isPending || (sending && chosen === 0)
                ? "Загрузка..."
                : chosen > 0
                  ? `Загрузить ${plural(chosen, ["файл", "файла", "файлов"])}`
                  : "Загрузить документ"}
            </Button>
          </ReadOnly>
        </form>
      </CardBody>
    </Card>
  );
}
