import * as z from "zod/mini";

/** The organisation in a call's address, in a file of its own: subjects that belong to an organisation need not load its own calls. */
export const OrganizationParams = z.object({ orgId: z.uuid("Неверный идентификатор") });
