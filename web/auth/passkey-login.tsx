import { Fingerprint } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { usePasskeyLogin } from "./sign-in.ts";

export default function PasskeyLogin({ disabled }: { disabled: boolean }) {
  const login = usePasskeyLogin();
  return (
    <Button className="w-full" disabled={disabled} busy={login.isPending} onClick={() => login.mutate()}>
      {!login.isPending && <Fingerprint aria-hidden className="icon" />}
      Войти с ключом доступа
    </Button>
  );
}
