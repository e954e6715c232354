import * as z from "zod/mini";
import { Role, SignedInUser } from "#contract/organizations/auth.ts";

const text = z.catch(z.optional(z.string()), undefined);
const textOrNull = z.catch(z.optional(z.nullable(z.string())), null);

/** The user with the specification's field names: either spelling of a name is accepted, and other fields may be missing. */
export const LenientSignedInUser = z.pipe(
  z.object({
    id: z.union([z.string(), z.number()]),
    email: textOrNull,
    firstName: text,
    lastName: text,
    first_name: text,
    last_name: text,
    fullName: text,
    username: textOrNull,
    telegramUsername: textOrNull,
    photo_url: textOrNull,
    authMethod: z.catch(SignedInUser.shape.authMethod, "email"),
    emailConfirmed: z.catch(z.boolean(), true),
    role: z.catch(Role, "user"),
    superAdmin: z.catch(z.boolean(), false),
    isDemo: z.catch(z.boolean(), false),
    organizationId: z.catch(z.string(), ""),
    consentDue: z.catch(z.boolean(), false),
  }),
  z.transform((read): SignedInUser => {
    const firstName = read.firstName ?? read.first_name ?? "";
    const lastName = read.lastName ?? read.last_name ?? "";
    const username = read.username ?? read.telegramUsername ?? null;
    return {
      ...read,
      id: String(read.id),
      email: read.email ?? null,
      firstName,
      lastName,
      first_name: firstName,
      last_name: lastName,
      fullName: read.fullName ?? `${firstName} ${lastName}`.trim(),
      username,
      telegramUsername: read.telegramUsername ?? username,
      photo_url: read.photo_url ?? null,
    };
  }),
);
