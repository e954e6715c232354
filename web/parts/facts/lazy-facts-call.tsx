import { lazy, Suspense } from "react";
import type { Twin } from "#contract/twins.ts";

const FactsCall = lazy(() => import("./facts-call.tsx"));

/** `FactsCall` where it stands beside the screen's own subject and is not a part of its first load. */
export const LazyFactsCall = ({ twin }: { twin: Twin }) => (
  <Suspense>
    <FactsCall twin={twin} />
  </Suspense>
);
