/** The keys of playing: the same on the Stage and over a grid of matches. */
import { register } from "../keys";
import { changeSpeed, now, playing, range, seek } from "../state/clock";

/** Play, step and change speed; `frameTime` is what one step is. The answer takes the keys back. */
export function registerPlayKeys(frameTime: () => number, limit: () => readonly [number, number]): () => void {
  const step = (seconds: number) => (): void => {
    playing.value = false;
    const at = Math.round((now.value + seconds) / frameTime()) * frameTime();
    seek(at, limit());
  };
  return register(
    { id: "play", title: "Play or stop", group: "Play", keys: ["Space"], run: togglePlaying },
    { id: "frame-back", title: "One frame back", group: "Play", keys: ["ArrowLeft"], run: () => step(-frameTime())() },
    { id: "frame-on", title: "One frame on", group: "Play", keys: ["ArrowRight"], run: () => step(frameTime())() },
    { id: "second-back", title: "One second back", group: "Play", keys: ["Shift+ArrowLeft"], run: step(-1) },
    { id: "second-on", title: "One second on", group: "Play", keys: ["Shift+ArrowRight"], run: step(1) },
    { id: "slower", title: "Slower", group: "Play", keys: [","], run: () => changeSpeed(-1) },
    { id: "faster", title: "Faster", group: "Play", keys: ["."], run: () => changeSpeed(1) },
  );
}

export function togglePlaying(): void {
  const [from, to] = range.peek();
  if (!playing.peek() && (now.peek() < from || now.peek() >= to)) now.value = from;
  playing.value = !playing.peek();
}
