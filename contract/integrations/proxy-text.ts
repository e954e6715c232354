import * as z from "zod/mini";

/** A proxy as text. proxy-address.ts validates it in the form and on the server, so that other screens need not load its sentences. */
export const ProxyText = z.string("Ожидался текст").check(z.trim(), z.maxLength(2000, "Слишком длинное значение"));

/** The new proxy of a connection; "" makes it connect directly. */
export const ProxyChange = z.object({ proxy: ProxyText });
export type ProxyChange = z.infer<typeof ProxyChange>;
