import * as RadixTooltip from "radix-ui/tooltip";
import { type ComponentProps, type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef } from "react";
import { idOfTarget, type TooltipText, useTooltipTargets } from "./tooltip-targets.ts";

/** Tooltips of all registered elements. They attach to existing elements, so that nothing remounts when this code arrives. */
export default function TooltipLayer() {
  return (
    <RadixTooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {useTooltipTargets().map((target) => (
        <ElementTooltip key={idOfTarget(target)} {...target} />
      ))}
    </RadixTooltip.Provider>
  );
}

function ElementTooltip({ element, label, side }: TooltipText) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>
        <Trigger element={element} />
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          side={side}
          sideOffset={8}
          collisionPadding={8}
          className="z-50 max-w-72 animate-fade-in rounded-md border bg-surface px-2.5 py-1.5 text-fg text-sm shadow-2"
        >
          {label}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

const HANDLERS = {
  pointermove: "onPointerMove",
  pointerleave: "onPointerLeave",
  pointerdown: "onPointerDown",
  focus: "onFocus",
  blur: "onBlur",
  click: "onClick",
} as const;

/** Attaches what Radix puts on its trigger to an element elsewhere: the ref, the listeners, the description. */
function Trigger({ element, ref, ...props }: ComponentProps<"button"> & { element: HTMLElement }) {
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    if (typeof ref === "function") ref(element as HTMLButtonElement);
    else if (ref) ref.current = element as HTMLButtonElement;
  }, [element, ref]);

  useEffect(() => {
    const listening = new AbortController();
    for (const [type, name] of Object.entries(HANDLERS)) {
      const handle = (event: Event) => (latest.current[name] as ((event: unknown) => void) | undefined)?.(event);
      element.addEventListener(type, handle, { signal: listening.signal });
    }
    // If the pointer is already on the element, no further event may come.
    if (element.matches(":hover")) latest.current.onPointerMove?.(pointerMove());
    return () => listening.abort();
  }, [element]);

  const describedBy = props["aria-describedby"];
  useLayoutEffect(() => {
    if (!describedBy) return;
    element.setAttribute("aria-describedby", describedBy);
    return () => element.removeAttribute("aria-describedby");
  }, [element, describedBy]);
  return null;
}

const pointerMove = () =>
  new PointerEvent("pointermove", { pointerType: "mouse" }) as unknown as ReactPointerEvent<HTMLButtonElement>;
