import { Redirect, useSearch } from "wouter";
import { paths, returnAddress } from "#web/paths.ts";

/** Redirects a signed-in user to the page that they wanted to open before, otherwise home. */
export function ReturnHome() {
  return <Redirect to={returnAddress(useSearch()) ?? paths.home} replace />;
}
