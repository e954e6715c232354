import { lazy, Suspense } from "react";
import { requestIdOf } from "#web/api/api-error.ts";

/** Loaded on failure, because every screen can fail and few do. */
const CopiedNumber = lazy(() => import("./copied-number.tsx"));

/** The request number by which the operator finds a server error in the log; renders nothing for other errors. */
export function RequestNumber({ error }: { error: unknown }) {
  const id = requestIdOf(error);
  if (id === undefined) return null;
  return (
    <Suspense>
      <CopiedNumber id={id} />
    </Suspense>
  );
}
