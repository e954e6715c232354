import { messageOf, serverSentenceOf } from "#web/api/api-error.ts";
import { errorText } from "./error-text.tsx";
import { toast } from "./toast.ts";

/** For `onError` of a call: shows what failed, and the reason as a sentence. */
export const toastError = (title: string) => (error: unknown) =>
  toast({ title, ...errorText(error, messageOf(error)), variant: "destructive" });

/** Like `toastError`, with the exact text of the specification instead of the server's message. */
export const toastRefusal = (title: string, fallback: string) => (error: unknown) =>
  toast({ title, ...errorText(error, serverSentenceOf(error) ?? fallback), variant: "destructive" });
