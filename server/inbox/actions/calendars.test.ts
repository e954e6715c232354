/** A twin tells the free slots of a calendar, and books one of them once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Act } from "#contract/actions/acts.ts";
import type { CalendarConnection } from "#contract/actions/tool-connections.ts";
import type { Tool, ToolTrial } from "#contract/actions/tools.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { toolConnections } from "#server/platform/db/schema/tools.ts";
import { addTool } from "#server/test/actions/actions-bench.ts";
import { type CaldavServer, startCaldavServer } from "#server/test/actions/caldav-server.ts";
import { calendarTool, connectCalendar, dayAfter, eventOn } from "#server/test/actions/calendar-bench.ts";
import { ann, ask, model, prepareShop, t, twinId } from "#server/test/actions/shop-bench.ts";
import { talkOver } from "#server/test/actions/talk-over.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";

prepareShop({ withModel: true });

let dav: CaldavServer;
let account: CalendarConnection;
beforeAll(async () => {
  dav = await startCaldavServer();
});
afterAll(() => dav.close());
beforeEach(async () => {
  dav.events.clear();
  dav.mischief = null;
  account = await connectCalendar(ann, twinId, dav);
  dav.requests.length = 0;
});

const TOMORROW = dayAfter(1);
const tryIt = async ({ id }: Tool, given: Record<string, string>, really = false): Promise<ToolTrial> => {
  const values = Object.entries(given).map(([name, value]) => ({ name, value }));
  const answer = await ann.post(`/api/tools/${id}/try`, { arguments: values, ...(really && { really }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const timesIn = ({ call }: ToolTrial) => call.result.map(({ value }) => value);

describe("a connection", () => {
  test("lists the calendars that hold events; the password is sealed and shown nowhere", async () => {
    expect(account).toMatchObject({ kind: "caldav", state: "ready", calendars: [{ title: "Работа" }] });
    const [row] = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(toolConnections));
    expect(row!.secrets!.includes("app-password")).toBe(false);
    const shown = await ann.get(`/api/tool-connections?twinId=${twinId}`);
    expect(shown.json()).toEqual([account]);
    expect(shown.body).not.toContain("app-password");
    const stranger = await t.signUp();
    expect((await stranger.get(`/api/tool-connections?twinId=${twinId}`)).json()).toEqual([]);
  });

  test.each([
    ["a wrong password", { password: "wrong" }, null, "password", "не принимает"],
    ["a server that sends its calendars elsewhere", {}, "elsewhere", "url", "чужой адрес"],
    ["a private address", { origin: "http://10.0.0.1/" }, null, "url", "публичный адрес"],
    ["no calendar", { origin: "NOWHERE" }, null, "url", "не отвечает"],
  ] as const)("with %s is refused, and the login goes nowhere else", async (_, given, mischief, field, said) => {
    dav.mischief = mischief;
    const place = { ...dav, ...given };
    const url = place.origin === "NOWHERE" ? "http://127.0.0.1:9/" : place.origin;
    const { login, password } = place;
    const refused = await ann.post("/api/tool-connections/calendars", { twinId, url, login, password });
    expect(refused.statusCode).toBeLessThan(500);
    expect(refused.json().fields?.[field], refused.body).toContain(said);
  });

  test("whose password was changed says so, and is the same connection once it is entered again", async () => {
    const free = await addTool(ann, twinId, calendarTool(account, "free"));
    dav.password = "renewed";
    try {
      expect((await tryIt(free, { date: TOMORROW })).call.note).toContain("не принимает логин или пароль");
      const [broken] = (await ann.get(`/api/tool-connections?twinId=${twinId}`)).json();
      expect(broken).toMatchObject({ state: "broken", failure: expect.stringContaining("не принимает") });
      expect(await connectCalendar(ann, twinId, dav)).toMatchObject({ id: account.id, state: "ready", failure: null });
      expect((await tryIt(free, { date: TOMORROW })).call.outcome).toBe("done");
    } finally {
      dav.password = "app-password";
    }
  });

  test("follows no redirect of its discovery to another host", async () => {
    dav.mischief = "redirects";
    expect(await connectCalendar(ann, twinId, dav)).toMatchObject({ calendars: [{ title: "Работа" }] });
    expect(dav.requests).toContain("PROPFIND /.well-known/caldav");
  });

  test("is of its own twin, and its calendars are those that the server has listed", async () => {
    const other = await t.signUp();
    const foreign = await other.post("/api/tools", {
      twinId: await buildTwin(other),
      tool: calendarTool(account, "free"),
    });
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, "calendar_not_found"]);
    const elsewhere = calendarTool(account, "free", { calendarUrl: "https://evil.example/" });
    const refused = await ann.post("/api/tools", { twinId, tool: elsewhere });
    expect([refused.statusCode, refused.json().code]).toEqual([404, "calendar_not_found"]);
    const lying = { ...calendarTool(account, "book"), changes: false, degree: "itself" };
    expect((await ann.post("/api/tools", { twinId, tool: lying })).statusCode).toBe(400);
  });
});

describe("free time", () => {
  test("covers one day and of the next days, without what takes time", async () => {
    dav.events.set("a.ics", eventOn(TOMORROW, "10:30", "11:30"));
    dav.events.set("b.ics", eventOn(TOMORROW, "12:00", "13:00", "TRANSP:TRANSPARENT\r\n"));
    const free = await addTool(ann, twinId, calendarTool(account, "free"));
    expect(timesIn(await tryIt(free, { date: TOMORROW }))).toEqual(["12:00"]);
    dav.events.set("c.ics", eventOn(TOMORROW, "09:00", "18:00"));
    expect(timesIn(await tryIt(free, { date: TOMORROW }))).toEqual(["свободного времени нет"]);
    const days = await tryIt(free, {});
    expect(days.call.result.length).toBe(5);
    expect(timesIn(days)[1]).toBe("10:00, 11:00, 12:00");
    expect(timesIn(await tryIt(free, { date: dayAfter(40) }))[0]).toContain("записи нет");
  });

  test.each(["html", "huge"] as const)(
    "of a calendar that answers %s is a failure with its reason",
    async (mischief) => {
      const free = await addTool(ann, twinId, calendarTool(account, "free"));
      dav.mischief = mischief;
      const { call } = await tryIt(free, { date: TOMORROW });
      expect([call.outcome, call.note]).toEqual(["failed", expect.stringMatching(/календар|событий/)]);
    },
  );

  test("reaches everybody over a channel, without a model's guess of it", async () => {
    await addTool(ann, twinId, calendarTool(account, "free"));
    const chat = await talkOver(t, ann, { twinId, platform: "telegram" });
    model.proposes("svobodnoe_vremya", {});
    model.says("Можно завтра в 10:00, 11:00 или 12:00.", [1]);
    expect((await chat.say("Когда можно прийти?")).text).toContain("10:00");
    expect(dav.requests.filter((one) => one.startsWith("REPORT"))).toHaveLength(1);
  });
});

describe("a booking", () => {
  const book = async () => {
    await addTool(ann, twinId, calendarTool(account, "book"));
    const chat = await talkOver(t, ann, { twinId, platform: "telegram" });
    model.proposes("zapis", { date: TOMORROW, time: "11:00" });
    expect((await chat.say("Запишите меня на завтра на 11:00")).text).toContain("Всё верно?");
    expect((await chat.say("да")).text).toContain("Передаю на подтверждение");
    expect(dav.events.size).toBe(0);
    const [act] = (await ann.get("/api/acts?show=open")).json<Act[]>();
    return { chat, act: act! };
  };

  test("is confirmed by the customer, decided by the owner, and written once with the contact's name", async () => {
    const { chat, act } = await book();
    expect(act.target).toMatch(/^PUT 127\.0\.0\.1:\d+ «Работа»$/);
    const approved = await ann.post(`/api/acts/${act.id}/approve`);
    expect(approved.json(), approved.body).toMatchObject({ state: "done" });
    expect([...dav.events.keys()]).toEqual([`${act.id}.ics`]);
    const text = dav.events.get(`${act.id}.ics`)!;
    expect(text).toContain(`DTSTART:${TOMORROW.replaceAll("-", "")}T080000Z`);
    expect(text).toContain("SUMMARY:Запись: Иван Петров");
    expect((await chat.sent()).at(-1)!.text).toContain("11:00–12:00");
  });

  test("of a slot that was taken meanwhile is refused, and nothing is written", async () => {
    const { act } = await book();
    dav.events.set("other.ics", eventOn(TOMORROW, "11:30", "12:30"));
    const approved = await ann.post(`/api/acts/${act.id}/approve`);
    expect(approved.json()).toMatchObject({ state: "failed", reason: "Это время уже занято" });
    expect([...dav.events.keys()]).toEqual(["other.ics"]);
  });

  test("whose answer is lost is written once all the same, and one that nobody answers is unknown", async () => {
    const { act } = await book();
    dav.mischief = "lost";
    expect((await ann.post(`/api/acts/${act.id}/approve`)).json()).toMatchObject({ state: "done" });
    expect(dav.requests.filter((one) => one.startsWith("PUT"))).toHaveLength(2);
    expect(dav.events.size).toBe(1);
    dav.events.clear();
    const { act: second } = await book();
    dav.mischief = "broken";
    expect((await ann.post(`/api/acts/${second.id}/approve`)).json()).toMatchObject({ state: "unknown" });
  });

  test("two at once at one time become one", async () => {
    const tool = await addTool(ann, twinId, calendarTool(account, "book"));
    const sample = { date: TOMORROW, time: "10:00" };
    const made = await Promise.all([tryIt(tool, sample, true), tryIt(tool, sample, true)]);
    expect(made.map(({ call }) => call.outcome).sort()).toEqual(["done", "failed"]);
    expect(dav.events.size).toBe(1);
  });

  test.each([
    ["outside the hours", { date: TOMORROW, time: "09:00" }, "На это время записи нет"],
    ["between two slots", { date: TOMORROW, time: "10:30" }, "На это время записи нет"],
    ["too far ahead", { date: dayAfter(40), time: "10:00" }, "На этот день записи нет"],
    ["in the past", { date: dayAfter(-1), time: "10:00" }, "На этот день записи нет"],
  ])("%s is none", async (_, sample, reason) => {
    const tool = await addTool(ann, twinId, calendarTool(account, "book"));
    const { call } = await tryIt(tool, sample, true);
    expect([call.outcome, call.note]).toEqual(["failed", reason]);
    expect(dav.events.size).toBe(0);
  });

  test("in a test chat is only shown", async () => {
    await addTool(ann, twinId, calendarTool(account, "book"));
    model.proposes("zapis", { date: TOMORROW, time: "11:00" });
    const first = await ask("Запишите меня на завтра на 11:00");
    await ask("да", first.conversationId);
    expect(dav.requests.filter((one) => one.startsWith("PUT"))).toEqual([]);
  });
});
