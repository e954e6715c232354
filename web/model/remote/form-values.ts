/** Converts the form of a remote model between text fields and the call's input. */
import type { RemoteModel, RemoteModelInput } from "#contract/models/remote-model.ts";
import {
  type Currency,
  type GigachatScope,
  PRESETS,
  type RemotePresetId,
} from "#contract/models/remote-model-presets.ts";

export interface FormValues {
  preset: RemotePresetId;
  baseUrl: string;
  authUrl: string;
  model: string;
  apiKey: string;
  scope: GigachatScope;
  currency: Currency;
  inputPrice: string;
  outputPrice: string;
  dailyMoney: string;
  contextTokens: string;
  enabled: boolean;
}

const written = (value: number | null): string => (value === null ? "" : String(value).replace(".", ","));

/** Parses a number as people write it: «0,2» or «1 000». Returns null when empty, NaN when invalid. */
export function readNumber(text: string): number | null {
  const plain = text.replace(/\s/g, "").replace(",", ".");
  if (plain === "") return null;
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Whether the preset's address is in a private network, which only the operator may set. */
export const isRefused = (preset: RemotePresetId, mayBePrivate: boolean): boolean =>
  !mayBePrivate && (preset === "ollama" || preset === "vllm");

/** Initial form values of a preset. An address that would be rejected is left empty. */
export function valuesOfPreset(preset: RemotePresetId, mayBePrivate: boolean): FormValues {
  const { model, currency, price } = PRESETS[preset];
  const baseUrl = isRefused(preset, mayBePrivate) ? "" : PRESETS[preset].baseUrl;
  return {
    ...{ preset, baseUrl, model, currency, authUrl: "", apiKey: "", scope: "GIGACHAT_API_PERS", dailyMoney: "" },
    contextTokens: "",
    ...{ inputPrice: written(price?.input ?? null), outputPrice: written(price?.output ?? null), enabled: true },
  };
}

export function valuesOf({ settings, today, mayBePrivate }: RemoteModel): FormValues {
  if (settings === null) return valuesOfPreset("gigachat", mayBePrivate);
  const { preset, baseUrl, authUrl, model, scope, currency, inputPrice, outputPrice, contextTokens, enabled } =
    settings;
  return {
    ...{ preset, baseUrl, model, currency, enabled, authUrl: authUrl ?? "", apiKey: "" },
    scope: scope ?? "GIGACHAT_API_PERS",
    ...{ inputPrice: written(inputPrice), outputPrice: written(outputPrice), dailyMoney: written(today.moneyLimit) },
    contextTokens: written(contextTokens),
  };
}

/** @param hasKey a key is stored, and an empty field leaves it unchanged */
export function inputOf(values: FormValues, hasKey: boolean): RemoteModelInput {
  const { preset, baseUrl, authUrl, model, apiKey, scope, currency, enabled } = values;
  const gigachat = preset === "gigachat";
  return {
    ...{ preset, baseUrl: baseUrl.trim(), model, currency, enabled },
    ...(gigachat ? { scope, ...(authUrl.trim() === "" ? {} : { authUrl: authUrl.trim() }) } : {}),
    ...(apiKey === "" && hasKey ? {} : { apiKey }),
    ...number("inputPrice", values.inputPrice),
    ...number("outputPrice", values.outputPrice),
    ...number("dailyMoney", values.dailyMoney),
    ...number("contextTokens", values.contextTokens),
  };
}

/** The fields that hold a number or nothing. */
export const NUMBER_FIELDS = ["inputPrice", "outputPrice", "dailyMoney", "contextTokens"] as const;
type NumberField = (typeof NUMBER_FIELDS)[number];

function number(field: NumberField, text: string): Partial<Record<NumberField, number>> {
  const value = readNumber(text);
  return value === null ? {} : { [field]: value };
}

/** A context below this leaves out most of what a twin knows. */
const SMALL_CONTEXT = 8192;
/** The context up to which a prompt of the usual length fits; longer ones are written only where their price is known. */
const USUAL_CONTEXT = 16_384;

export type ContextWarning = "more-than-told" | "small" | "unpriced";

/** Returns what is to be considered about the context in the form, which is accepted nevertheless. @param told by the server; null: it was not asked, or does not tell */
export function contextWarning(
  { contextTokens, inputPrice }: Pick<FormValues, "contextTokens" | "inputPrice">,
  told: number | null,
): ContextWarning | null {
  const tokens = readNumber(contextTokens);
  if (tokens === null || Number.isNaN(tokens)) return null;
  if (told !== null && tokens > told) return "more-than-told";
  if (tokens < SMALL_CONTEXT) return "small";
  return tokens > USUAL_CONTEXT && readNumber(inputPrice) === null ? "unpriced" : null;
}
