import { clsx } from "clsx";
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Input } from "./input.tsx";

interface PasswordInputProps extends Omit<ComponentProps<"input">, "type"> {
  /** Tells password managers whether to fill in or to generate a password. */
  autoComplete: "current-password" | "new-password" | "off";
  /** Name of the secret in the accusative, for the label of the eye button. */
  what?: string;
}

/** A field for a password or a key, which can be shown while it is typed. */
export function PasswordInput({ className, what = "пароль", ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={clsx("pe-12 [&::-ms-reveal]:hidden", className)}
        {...props}
      />
      <button
        type="button"
        aria-label={`${shown ? "Скрыть" : "Показать"} ${what}`}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 end-0 inline-flex w-(--control-h) items-center justify-center rounded-md text-muted outline-offset-[-2px] hover:text-fg"
      >
        <Icon aria-hidden className="icon" />
      </button>
    </div>
  );
}
