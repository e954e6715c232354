/** A number or a code with digits in an example: «1042», «№77-12», «AB-1042». It stands where the field of a call will stand. */
const SLOT = /(?<![\p{L}\p{N}])(?:[\p{L}]{1,6}[-/]?)?\d[\p{L}\d]*(?:[-/][\p{L}\d]{1,20}){0,4}/gu;

/** Returns what an example recognises without a model: «где мой заказ [Номер заказа]». Without a number in it, it is unchanged. */
export const shownForm = (example: string, label: string): string => example.replace(SLOT, () => `[${label}]`);
