import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { buttonClass } from "#web/ui/button.tsx";

/** Props of a menu module's default export; the menu opens at once at the given button. */
export interface HeaderMenuProps {
  trigger: ReactElement;
}

interface LazyMenu {
  Menu: LazyExoticComponent<ComponentType<HeaderMenuProps>>;
  preload: () => void;
  popup: "menu" | "dialog";
}

export function createLazyMenu(
  load: () => Promise<{ default: ComponentType<HeaderMenuProps> }>,
  popup: LazyMenu["popup"],
): LazyMenu {
  const preload = () => {
    // Preload failures are ignored; opening the menu reports them.
    load().catch(() => undefined);
  };
  return { Menu: lazy(load), preload, popup };
}

interface Props {
  of: LazyMenu;
  label: string;
  className?: string;
  children: ReactNode;
}

/** A button that loads its menu's code on hover or focus, so that the first paint does not need it. */
export function HeaderMenu({ of: { Menu, preload, popup }, label, className, children }: Props) {
  const [asked, setAsked] = useState(false);
  const face = { className: buttonClass("ghost", "icon", className), "aria-label": label, children };
  const still = (
    <button
      type="button"
      aria-haspopup={popup}
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setAsked(true)}
      {...face}
    />
  );
  if (!asked) return still;
  return (
    <Suspense fallback={still}>
      <Menu trigger={<button type="button" {...face} />} />
    </Suspense>
  );
}
