/** A cell of the one canvas, with a camera that the pointer turns. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

import type { OrbitCamera } from "../draw/camera";
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
  /** Something under the pointer wants the drag for itself. */
  grab?: (event: PointerEvent) => ((event: PointerEvent, done: boolean) => void) | null;
  moved?: () => void;
}

/** Drag turns, with Shift or the middle button it moves; the wheel comes nearer. */
export function useOrbit(element: RefObject<HTMLElement | null>, camera: OrbitCamera, pointing: Pointing = {}): void {
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
        pointing.moved?.();
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
      pointing.moved?.();
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
