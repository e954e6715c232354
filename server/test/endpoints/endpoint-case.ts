import type { Things } from "./things.ts";

/** A request that succeeds: what the attacks of describe-access.ts are made from. */
export interface EndpointCase {
  /** Path parameters filled in, query included. */
  url(things: Things): string;
  /** A JSON body, or a multipart form where `multipart` says so. */
  body?(things: Things): Record<string, unknown>;
  /** Sent as multipart: the file of the form, beside `body`'s fields. */
  file?: { name: string; content(): Promise<Buffer> };
  /** Sent as it is. */
  bytes?(): Promise<Buffer>;
  /** Status for the owner and the administrator, where it is not the endpoint's own. */
  answers?: number;
  /** The things that the call uses up, so that a second call with them would fail. */
  consumes?: "everything" | readonly (keyof Things)[];
  /** Only the member who created it can see it: for colleagues of any role it does not exist. */
  personal?: boolean;
  /** Only the member who created it can change it: colleagues of any role can only see it. */
  authors?: boolean;
  /** Its response is an endless stream. */
  endless?: boolean;
  /** Fields of the body that name rows: each is also tried with another organisation's row. */
  references?: Record<string, keyof Things>;
}
