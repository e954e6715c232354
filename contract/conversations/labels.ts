/** Labels («метки») of the organisation, by which conversations are sorted and found. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";
import { Label } from "./conversations.ts";

export const LABELS_LIMIT = 50;
export const LABEL_LENGTH = 30;

/** `conversations` is the number of the organisation's conversations with this label. */
export const CountedLabel = z.extend(Label, { conversations: z.number() });
export type CountedLabel = z.infer<typeof CountedLabel>;

const NAME_REQUIRED = "Введите название метки";
export const LabelInput = z.object({
  name: z.string(NAME_REQUIRED).check(
    z.maxLength(1000, { error: `Метка длиннее ${LABEL_LENGTH} символов`, abort: true }),
    z.overwrite((name) => name.trim().replace(/\s+/g, " ")),
    z.minLength(1, NAME_REQUIRED),
    z.maxLength(LABEL_LENGTH, `Метка длиннее ${LABEL_LENGTH} символов`),
  ),
});
export type LabelInput = z.infer<typeof LabelInput>;

export const labelsApi = {
  list: endpoint("GET /api/labels", {
    access: "signed-in",
    tags: ["labels", "conversations", "conversation-list"],
    summary: "Метки организации и сколько диалогов с каждой",
    output: z.array(CountedLabel),
  }),
  create: endpoint("POST /api/labels", {
    access: "editor",
    refreshes: ["labels"],
    summary: `Новая метка; с тем же названием отдаётся прежняя. Не больше ${LABELS_LIMIT}`,
    status: 201,
    input: LabelInput,
    output: Label,
  }),
  remove: endpoint("DELETE /api/labels/:id", {
    access: "org_admin",
    refreshes: ["labels", "conversations"],
    summary: "Удалить метку и снять её со всех диалогов",
    params: IdParams,
  }),
};
