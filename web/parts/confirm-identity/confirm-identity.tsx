import {
  type ComponentProps,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from "react";
import { codeOf } from "#web/api/api-error.ts";

const IdentityQuestion = lazy(() => import("./identity-question.tsx"));

/** Thrown when the user cancels the confirmation; it must not be shown as a failure. */
export class ConfirmationLeft extends Error {}

type WithConfirmation = <T>(act: () => Promise<T>) => Promise<T>;
const Context = createContext<WithConfirmation | null>(null);

export function useWithConfirmation(): WithConfirmation {
  const value = useContext(Context);
  if (!value) throw new Error("useWithConfirmation must be used within a ConfirmIdentity");
  return value;
}

/** Asks the user to confirm their identity when the server requires it, and then repeats the rejected action. */
export function ConfirmIdentity({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<ComponentProps<typeof IdentityQuestion>>();
  const withConfirmation = useCallback<WithConfirmation>(async (act) => {
    try {
      return await act();
    } catch (error) {
      if (codeOf(error) !== "fresh_sign_in_needed") throw error;
    }
    await new Promise<void>((resolve, reject) => {
      setAsked({ confirmed: resolve, left: () => reject(new ConfirmationLeft()) });
    }).finally(() => setAsked(undefined));
    return act();
  }, []);
  return (
    <Context value={withConfirmation}>
      {children}
      <Suspense>{asked && <IdentityQuestion {...asked} />}</Suspense>
    </Context>
  );
}
