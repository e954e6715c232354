import { messageOf } from "#web/api/api-error.ts";

/** Why a form could not be sent, before its buttons: a failed call or a sentence; nothing shows nothing. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="text-danger-text text-md">
      {messageOf(error)}
    </p>
  );
}
