/** The canvas of a view, under whatever cells the view has. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { renderer, startDrawing } from "../draw/loop";

export function Drawing({ children }: { children: ComponentChildren }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => startDrawing(canvas.current!), []);
  return (
    <div class="drawing">
      <canvas ref={canvas} aria-hidden="true" />
      <div class="over">
        {children}
        {renderer.value && !renderer.value.works && (
          <div class="state" role="alert">
            <h1>This browser has no WebGL 2</h1>
            <p>Motions cannot be drawn without it. It may be switched off in the browser's settings.</p>
          </div>
        )}
      </div>
    </div>
  );
}
