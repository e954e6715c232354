import { lazy, Suspense } from "react";
import type { Twin } from "#contract/twins.ts";

const GapsCall = lazy(() => import("./gaps-call.tsx"));

/** `GapsCall` where it stands beside the screen's own subject and is not a part of its first load. */
export const LazyGapsCall = ({ twin }: { twin: Twin }) => (
  <Suspense>
    <GapsCall twin={twin} />
  </Suspense>
);
