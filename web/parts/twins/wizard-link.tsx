import { Link } from "wouter";
import { paths } from "#web/paths.ts";

/** The other way to a first twin, beside the form: stands in the words of an empty list. */
export function WizardLink() {
  return (
    <Link href={paths.onboarding} className="font-medium text-primary-text underline underline-offset-4">
      Создать по шагам из&nbsp;переписки
    </Link>
  );
}
