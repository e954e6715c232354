import { Link } from "wouter";
import { Button } from "../button.tsx";
import { toast } from "./toast.ts";

type ToastAction = { label: string; onPress: () => void } | { label: string; href: string };

/** Shows a toast with buttons below its title; each of them dismisses it. */
export function actionToast(title: string, actions: readonly ToastAction[]) {
  const { dismiss } = toast({
    title,
    description: actions.length > 0 && (
      <span className="flex flex-wrap gap-2">
        {actions.map((action) =>
          "href" in action ? (
            <Button asChild size="sm" key={action.label}>
              <Link href={action.href} onClick={() => dismiss()}>
                {action.label}
              </Link>
            </Button>
          ) : (
            <Button
              size="sm"
              key={action.label}
              onClick={() => {
                dismiss();
                action.onPress();
              }}
            >
              {action.label}
            </Button>
          ),
        )}
      </span>
    ),
  });
}
