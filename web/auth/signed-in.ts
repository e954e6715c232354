import * as z from "zod/mini";
import { SignInResult } from "#contract/organizations/auth.ts";
import { LenientSignedInUser } from "#web/session/signed-in-user.ts";

export const SignedIn = z.extend(SignInResult, { user: LenientSignedInUser });
