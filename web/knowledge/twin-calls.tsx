import { lazy, Suspense } from "react";
import type { Twin } from "#contract/twins.ts";

const FactsCall = lazy(() => import("#web/parts/facts/facts-call.tsx"));
const GapsCall = lazy(() => import("#web/parts/gaps/gaps-call.tsx"));

/** What waits for a twin's owner, beside the screen's subject and loaded after it. */
export const TwinCalls = ({ twin }: { twin: Twin }) => (
  <>
    <Suspense>
      <FactsCall twin={twin} />
    </Suspense>
    <Suspense>
      <GapsCall twin={twin} />
    </Suspense>
  </>
);
