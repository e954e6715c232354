/** A worker that does what its task says: it answers, throws, exits, never finishes or dies while idle. */
export default function act(task: "answer" | "throw" | "leave" | "hang" | "die later"): string {
  if (task === "throw") throw new Error("this task is wrong");
  if (task === "leave") process.exit(4);
  if (task === "hang") for (;;);
  if (task === "die later") {
    setTimeout(() => {
      throw new Error("died idle");
    }, 20);
  }
  return "answered";
}
