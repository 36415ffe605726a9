/** A cell of the one canvas, with a camera that the pointer turns. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

import type { OrbitCamera } from "../draw/camera";
import { type Action, register } from "../keys";
import { redraw, renderer } from "../draw/loop";
import type { Scene } from "../draw/scene";
import { useSignalEffect } from "@preact/signals";

/** Draw `scene` where the element is, as long as it is there. */
export function useCell(element: RefObject<HTMLElement | null>, scene: () => Scene | null): void {
  useSignalEffect(() => {
    const drawing = renderer.value;
    if (!drawing || !element.current) return;
    return drawing.add({ element: element.current, scene });
  });
}

export interface Pointing {
  /** See what was seen first. */
  reset: () => void;
  /** Something under the pointer wants the drag for itself. */
  grab?: (event: PointerEvent) => ((event: PointerEvent, done: boolean) => void) | null;
}

const TURN = 1 / 24; // of half a circle
const MOVE = 1 / 12; // of the height that is seen
const NEARER = 0.85;

/** Drag turns, with Shift or the middle button it moves; the wheel comes nearer. Keys do the same. */
export function useOrbit(element: RefObject<HTMLElement | null>, camera: OrbitCamera, pointing: Pointing): void {
  useEffect(() => {
    const by = (id: string, title: string, keys: readonly string[], change: () => void): Action => ({
      id: `view-${id}`,
      title,
      group: "Camera",
      keys,
      run: () => (change(), redraw()),
    });
    // What the camera sees, for tests that turn it
    (globalThis as { studioView?: unknown }).studioView = () => [camera.orbit.theta, camera.orbit.phi, camera.orbit.radius, ...camera.target];
    return register(
      by("left", "Turn the view left", ["Ctrl+ArrowLeft"], () => camera.turn(-TURN, 0)),
      by("right", "Turn the view right", ["Ctrl+ArrowRight"], () => camera.turn(TURN, 0)),
      by("up", "See it from higher", ["Ctrl+ArrowUp"], () => camera.turn(0, TURN)),
      by("down", "See it from lower", ["Ctrl+ArrowDown"], () => camera.turn(0, -TURN)),
      by("nearer", "Come nearer", ["+", "="], () => camera.zoom(NEARER)),
      by("farther", "Go farther away", ["-"], () => camera.zoom(1 / NEARER)),
      by("move-left", "Move the view left", ["Ctrl+Shift+ArrowLeft"], () => camera.pan(MOVE, 0)),
      by("move-right", "Move the view right", ["Ctrl+Shift+ArrowRight"], () => camera.pan(-MOVE, 0)),
      by("move-up", "Move the view up", ["Ctrl+Shift+ArrowUp"], () => camera.pan(0, MOVE)),
      by("move-down", "Move the view down", ["Ctrl+Shift+ArrowDown"], () => camera.pan(0, -MOVE)),
      by("reset", "Reset the view", ["Home"], () => pointing.reset()),
    );
  }, []);
  useEffect(() => {
    const target = element.current!;
    function down(event: PointerEvent): void {
      const grabbed = pointing.grab?.(event);
      let [x, y] = [event.clientX, event.clientY];
      target.setPointerCapture(event.pointerId);
      function move(next: PointerEvent): void {
        if (grabbed) {
          grabbed(next, false);
          redraw();
          return;
        }
        const across = (next.clientX - x) / target.clientHeight;
        const up = (next.clientY - y) / target.clientHeight;
        [x, y] = [next.clientX, next.clientY];
        if (next.shiftKey || next.buttons & 4) camera.pan(across, up);
        else camera.turn(across, up);
        redraw();
      }
      function end(last: PointerEvent): void {
        target.removeEventListener("pointermove", move);
        target.removeEventListener("pointerup", end);
        target.removeEventListener("pointercancel", end);
        grabbed?.(last, true);
      }
      target.addEventListener("pointermove", move);
      target.addEventListener("pointerup", end);
      target.addEventListener("pointercancel", end);
    }
    function wheel(event: WheelEvent): void {
      event.preventDefault();
      camera.zoom(Math.exp(event.deltaY * 0.0012));
      redraw();
    }
    target.addEventListener("pointerdown", down);
    target.addEventListener("wheel", wheel, { passive: false });
    return () => {
      target.removeEventListener("pointerdown", down);
      target.removeEventListener("wheel", wheel);
    };
  }, []);
}
