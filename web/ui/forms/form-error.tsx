import { messageOf } from "#web/api/api-error.ts";

/** The reason why a form could not be sent, above its buttons: a failed call or a sentence. Renders nothing without an error. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="text-danger-text text-md">
      {messageOf(error)}
    </p>
  );
}
