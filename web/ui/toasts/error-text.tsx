import type { ReactNode } from "react";
import { requestIdOf } from "#web/api/api-error.ts";
import { RequestNumber } from "../states/request-number.tsx";
import type { ToastText } from "./toast.ts";

export function errorText(error: unknown, sentence: string): Pick<ToastText, "description"> {
  if (requestIdOf(error) === undefined) return { description: sentence };
  const description: ReactNode = (
    <>
      <span>{sentence}</span>
      <RequestNumber error={error} />
    </>
  );
  return { description };
}
