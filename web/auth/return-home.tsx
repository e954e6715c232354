import { Redirect, useSearch } from "wouter";
import { paths, returnAddress } from "#web/paths.ts";

/** Leads who is signed in to where they wanted to go before, else home. */
export function ReturnHome() {
  return <Redirect to={returnAddress(useSearch()) ?? paths.home} replace />;
}
