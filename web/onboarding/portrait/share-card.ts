/** Draws the portrait as a picture for sharing. It is drawn in the browser, so that no data leaves it. */
import { saveBlob } from "#web/files/save-file.ts";
import type { Traits } from "./traits.ts";

const SIZE = { width: 1200, height: 630 };
const MARGIN = 72;
const AVATAR = 48;
const FONT = '"Golos Text Variable", system-ui, sans-serif';

/** Saves the picture as a file. @throws Error where the browser cannot draw it */
export async function saveShareCard(name: string, traits: Traits): Promise<void> {
  await Promise.all(["600 52px", "600 34px", "400 24px"].map((font) => document.fonts.load(`${font} ${FONT}`, "Тy1")));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, SIZE);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("Браузер не смог нарисовать картинку");
  draw(context, name, traits);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("Браузер не смог сохранить картинку");
  saveBlob(blob, "portret-rechi.png");
}

type Colour = "bg" | "surface" | "border" | "fg" | "muted" | "subtle" | "primary" | "echo" | "echo-soft" | "echo-text";

function draw(context: CanvasRenderingContext2D, name: string, { list, hours }: Traits): void {
  const tokens = getComputedStyle(document.documentElement);
  const colour = (token: Colour) => tokens.getPropertyValue(`--${token}`).trim();
  const write = (text: string, x: number, y: number, font: string, token: Colour, room: number) => {
    context.font = `${font} ${FONT}`;
    context.fillStyle = colour(token);
    context.fillText(fitting(context, text, room), x, y);
  };
  context.fillStyle = colour("bg");
  context.fillRect(0, 0, SIZE.width, SIZE.height);

  drawAvatar(context, name, colour);
  const beside = MARGIN + 2 * AVATAR + 28;
  const brand = SIZE.width - MARGIN - 330;
  write("Как пишет", beside, 100, "400 24px", "muted", 300);
  write(name, beside, 156, "600 52px", "fg", SIZE.width - MARGIN - beside);
  drawMark(context, brand, colour);
  write("Цифровые двойники", brand + 76, MARGIN + 12, "600 24px", "muted", 254);

  const shown = list.filter(({ none }) => !none).slice(0, 4);
  const column = (SIZE.width - 2 * MARGIN - 32) / 2;
  for (const [at, { title, value, text, toOthers = text }] of shown.entries()) {
    const x = MARGIN + (at % 2) * (column + 32);
    const y = 216 + Math.floor(at / 2) * 134;
    context.fillStyle = colour("surface");
    context.strokeStyle = colour("border");
    context.beginPath();
    context.roundRect(x, y, column, 118, 12);
    context.fill();
    context.stroke();
    write(title, x + 20, y + 32, "400 20px", "subtle", column - 40);
    write(value, x + 20, y + 72, "600 34px", "echo-text", column - 40);
    // Without enough space the picture shows only the part before the comma; the page shows the whole sentence.
    context.font = `400 20px ${FONT}`;
    const said = context.measureText(toOthers).width > column - 40 ? toOthers.split(",")[0]! : toOthers;
    write(said, x + 20, y + 102, "400 20px", "muted", column - 40);
  }
  if (hours !== null) drawHours(context, hours, colour);
}

/** Draws the owner's avatar: a circle with the first letter of the name. */
function drawAvatar(context: CanvasRenderingContext2D, name: string, colour: (token: Colour) => string): void {
  const [x, y] = [MARGIN + AVATAR, 124];
  context.fillStyle = colour("echo-soft");
  context.beginPath();
  context.arc(x, y, AVATAR, 0, 2 * Math.PI);
  context.fill();
  context.font = `600 52px ${FONT}`;
  context.fillStyle = colour("echo-text");
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText([...name.trim()][0]?.toUpperCase() ?? "", x, y + 3);
  context.textAlign = "start";
  context.textBaseline = "alphabetic";
}

function drawMark(context: CanvasRenderingContext2D, x: number, colour: (token: Colour) => string): void {
  context.lineWidth = 3.5;
  context.strokeStyle = colour("echo");
  context.beginPath();
  context.arc(x + 20, MARGIN + 2, 19, 0, 2 * Math.PI);
  context.stroke();
  context.fillStyle = colour("primary");
  context.beginPath();
  context.arc(x + 39, MARGIN + 2, 20, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = 1;
}

function drawHours(
  context: CanvasRenderingContext2D,
  hours: readonly number[],
  colour: (token: Colour) => string,
): void {
  const [left, bottom, height] = [MARGIN, SIZE.height - 56, 60];
  context.font = `400 18px ${FONT}`;
  context.fillStyle = colour("subtle");
  context.fillText("Сообщения по часам, московское время", left + 4, bottom - height - 14);
  const step = (SIZE.width - 2 * MARGIN) / hours.length;
  const most = Math.max(...hours, 0.001);
  for (const [hour, share] of hours.entries()) {
    // An hour without messages has no bar; every other bar has a visible minimum height.
    const tall = share > 0 ? Math.max(2, (share / most) * height) : 0;
    context.fillStyle = colour("echo");
    context.fillRect(left + hour * step + 4, bottom - tall, step - 8, tall);
    if (hour % 6 !== 0) continue;
    context.font = `400 18px ${FONT}`;
    context.fillStyle = colour("subtle");
    context.fillText(`${hour}:00`, left + hour * step + 4, bottom + 26);
  }
}

function fitting(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("")}…`;
}
