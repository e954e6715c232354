import { LegalPage } from "./legal-page.tsx";
import { terms } from "./texts.ts";

export default function TermsPage() {
  return <LegalPage of={terms} />;
}
