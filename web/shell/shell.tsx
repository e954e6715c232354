import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { useSession } from "#web/session/session.tsx";
import { LateTooltips } from "#web/ui/overlays/tooltip.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { closeFloating, openPalette, useFloating } from "./floating-state.ts";
import { Sidebar } from "./sidebar.tsx";

const UnconfirmedBanner = lazy(() => import("./unconfirmed-banner.tsx"));
const WaitingWatch = lazy(() => import("./waiting-watch.tsx"));
const Drawer = lazy(() => import("./drawer.tsx"));
const Palette = lazy(() => import("./palette/palette.tsx"));
const ConsentGate = lazy(() => import("#web/parts/legal/consent-gate.tsx"));

export default function Shell({ children }: { children: ReactNode }) {
  const floating = useFloating();
  const { user } = useSession();
  const unconfirmed = user?.emailConfirmed === false ? user.email : null;
  usePaletteShortcut();
  useEffect(() => closeFloating, []);
  return (
    <>
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 text-on-primary focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        Перейти к содержанию
      </a>
      <div className="flex min-h-dvh">
        <Sidebar />
        <div className="min-w-0 flex-1 pb-[calc(var(--bottombar)+env(safe-area-inset-bottom))] md:pb-0">
          <Suspense>{unconfirmed && <UnconfirmedBanner email={unconfirmed} />}</Suspense>
          {children}
        </div>
      </div>
      <BottomBar />
      <Suspense>
        <WaitingWatch />
      </Suspense>
      <Suspense>
        {floating === "drawer" && <Drawer />}
        {floating === "palette" && <Palette />}
        {user?.consentDue && <ConsentGate />}
      </Suspense>
      <LateTooltips />
    </>
  );
}

function usePaletteShortcut() {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      // Compares the physical key, because a Russian layout produces «л».
      if (event.code !== "KeyK" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      openPalette();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
