import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { pricingPlans } from "#web/display-values.ts";
import { LegalLinks } from "#web/parts/legal/legal-links.tsx";
import { paths, registerWithReturn } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { SwitchMenus } from "#web/shell/header/switch-menus.tsx";
import { PublicHeader } from "#web/shell/public/public-header.tsx";
import { Button } from "#web/ui/button.tsx";
import { AgentGrid } from "./agent-grid.tsx";
import type { Agent } from "./agents.ts";
import { ClosingCall } from "./closing-call.tsx";
import { EcosystemMap } from "./ecosystem-map.tsx";
import { Hero } from "./hero.tsx";
import { PublishedPricing } from "./plans/published-pricing.tsx";
import { Pricing } from "./pricing.tsx";
import { TalkCard } from "./talk/talk-card.tsx";

/** Prerendered in the page, so its code need not load first. */
const Benefits = lazy<ComponentType>(() => import("./benefits.tsx").catch(() => ({ default: () => null })));
const loadAgentDialog = () => import("./agent-dialog.tsx");
const AgentDialog = lazy(loadAgentDialog);
const ContactDialog = lazy(() => import("./contact-dialog.tsx"));

/** Loads the dialog's code on hover or focus of an agent. Failures are ignored here; opening the dialog reports them. */
const preloadAgentDialog = () => void loadAgentDialog().catch(() => undefined);

export default function LandingPage() {
  const { user } = useSession();
  const [agent, setAgent] = useState<Agent | null>(null);
  const [contactOpen, setContactOpen] = useState(false);
  const pricing = usePricing();
  // Replays clicks made before this code had loaded (web/public/early-press.js).
  useEffect(() => void dispatchEvent(new Event("landing-taken-over")), []);
  // A visitor has no account yet. Users with an account find the sign-in on the same page.
  const createPath = user ? paths.createTwin : registerWithReturn(paths.createTwin);
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader markOnPhone={user !== undefined} menusAtFoot>
        <Button variant="ghost" className="max-sm:hidden noscript:hidden" onClick={pricing.show}>
          Тарифы
        </Button>
        <Button asChild className="ms-1">
          {user ? <Link href={paths.dashboard}>Панель управления</Link> : <Link href={paths.login}>Войти</Link>}
        </Button>
      </PublicHeader>
      <main lang="ru" className="flex flex-1 flex-col">
        <Hero createPath={createPath} pricingShown={pricing.shown} onShowPricing={pricing.show}>
          <EcosystemMap open={agent} onNear={preloadAgentDialog} onOpen={setAgent} />
        </Hero>
        <div className="mx-auto w-full max-w-[calc(var(--content)+2*var(--page-x))] px-page pb-14">
          <TalkCard createPath={createPath} />
        </div>
        <Suspense>
          <Benefits />
        </Suspense>
        <AgentGrid onNear={preloadAgentDialog} onOpen={setAgent} />
        {pricing.shown && (
          <PublishedPricing
            headingRef={pricing.heading}
            contact={
              <Button aria-haspopup="dialog" onClick={() => setContactOpen(true)}>
                Связаться с нами
              </Button>
            }
          />
        )}
        {/* Without scripts nothing can be expanded. React renders this in the prerendered page only. */}
        <noscript>
          <Pricing plans={pricingPlans} contact={null} />
        </noscript>
        <ClosingCall createPath={createPath} />
      </main>
      <footer className="mx-auto w-full max-w-[calc(var(--content)+2*var(--page-x))] px-page py-6 text-center text-sm text-subtle">
        <div className="mb-3 flex justify-center gap-1 sm:hidden">
          <SwitchMenus />
        </div>
        <div
          lang="ru"
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 max-sm:flex-col max-sm:items-center"
        >
          <p>© 2025 Цифровые двойники. Все права защищены.</p>
          <LegalLinks />
        </div>
      </footer>
      <Suspense>
        {agent && <AgentDialog agent={agent} createPath={createPath} onClose={() => setAgent(null)} />}
        {contactOpen && <ContactDialog onClose={() => setContactOpen(false)} />}
      </Suspense>
    </div>
  );
}

const PRICING = "#pricing";

/** Whether prices are shown: on request, or when the address ends in #pricing. */
function usePricing() {
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const show = () => {
    setShown(true);
    setAsked((times) => times + 1);
    history.replaceState(history.state, "", PRICING);
  };
  useEffect(() => {
    if (location.hash === PRICING) {
      setShown(true);
      setAsked(1);
    }
  }, []);
  useEffect(() => {
    if (asked === 0) return;
    heading.current?.closest("section")?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [asked]);
  return { shown, show, heading };
}
