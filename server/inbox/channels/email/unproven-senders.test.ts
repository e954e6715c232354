/** Letters of forged and of unknown senders, on real mail servers. */
import { describe, expect, test } from "vitest";
import { drafted } from "#server/test/channels/channel-journey.ts";
import { dovecot, prepareMail, twinMailboxes } from "#server/test/channels/mail-bench.ts";
import { IVAN, mailbox, PASSED } from "#server/test/channels/unproven-senders-bench.ts";

const FAILED = "dmarc=fail header.from=client.test";

describe.skipIf(dovecot === undefined)("a mailbox that answers automatically", () => {
  prepareMail(twinMailboxes(10));

  test("answers a sender whom its server has found to be the one named, and drafts for one found to be another", async () => {
    const box = await mailbox();
    await box.arrives("Привет!", {}, PASSED);
    await box.handled(1);
    expect(box.sent().map(({ to }) => to)).toEqual([IVAN]);
    await box.arrives("Привет!", {}, FAILED);
    expect(await drafted(box.ann)).toMatchObject([{ reason: expect.stringMatching(/может быть подделкой/) }]);
    await box.arrives("Привет!", {}, "spf=fail smtp.mailfrom=client.test; dkim=none");
    await drafted(box.ann, 2);
    expect(box.sent()).toHaveLength(1);
  });
});
