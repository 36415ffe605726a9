/** One canvas for all cells: a scissor rectangle and one draw call each; what is off the screen is not drawn. */
import { effect } from "@preact/signals";

import { playing, tick } from "../state/clock";
import { palette } from "./palette";
import { Batch, SHAPES_IN_ROW, type Scene, addScene } from "./scene";
import { FRAGMENT, TEXTURE_WIDTH, VERTEX } from "./shaders";

export interface Cell {
  element: HTMLElement;
  /** What to draw now; null leaves the cell empty. */
  scene: () => Scene | null;
}

export interface Counts {
  drawCalls: number;
  frames: number;
  lastMilliseconds: number;
}

interface Prepared {
  left: number;
  bottom: number;
  width: number;
  height: number;
  scene: Scene;
  first: number;
  count: number;
}

const SLOW_MS = 80; // from frame to frame while something moves
const SLOW_FRAMES = 3; // in a row, before less is drawn of each
const COARSEST = 0.5; // of the resolution
const FEWEST = 600_000; // pixels of the canvas: with fewer, it looks coarse
const COARSER = 0.7; // at a time
const REST_MS = 250; // without a frame: what is seen is drawn as sharp as can be
const PATIENCE_MS = 120; // between frames of software WebGL while an answer is awaited
const FRESH_MS = 8; // a frame as young as this is not drawn again

/** The canvas lies under the page's centre and takes no pointer: the cells above it do. */
export class Renderer {
  readonly counts: Counts = { drawCalls: 0, frames: 0, lastMilliseconds: 0 };
  private readonly cells = new Set<Cell>();
  private readonly batch = new Batch();
  private gl: WebGL2RenderingContext | null = null;
  private uniforms: Record<string, WebGLUniformLocation | null> = {};
  private placeRows = 0;
  private shapeRows = 0;
  private asked = false;
  private isSoftware = false;
  private drawnAt = 0;
  private slowFrames = 0;
  private sharpness = 1;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private readonly over = new AbortController();

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly isAwaiting: () => boolean = () => false,
  ) {
    const { signal } = this.over;
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault(), { signal });
    canvas.addEventListener(
      "webglcontextrestored",
      () => {
        this.placeRows = this.shapeRows = 0;
        this.begin();
      },
      { signal },
    );
    this.begin();
    const watch = new ResizeObserver(() => this.invalidate());
    watch.observe(canvas);
    const stop = effect(() => {
      void palette.value;
      this.invalidate();
    });
    signal.addEventListener("abort", () => {
      watch.disconnect();
      stop();
    });
  }

  /** Where frames come slowly one after the other, each is drawn with fewer pixels, until nothing moves. */
  private adapt(): void {
    const past = performance.now() - this.drawnAt;
    const isSlow = past > SLOW_MS && (past < REST_MS || playing.peek()) && !this.isAwaiting();
    this.slowFrames = isSlow ? this.slowFrames + 1 : 0;
    if (this.slowFrames >= SLOW_FRAMES) {
      this.slowFrames = 0;
      const full = (this.canvas.width * this.canvas.height) / this.sharpness ** 2;
      const least = Math.min(1, Math.max(COARSEST, Math.sqrt(FEWEST / Math.max(1, full))));
      this.sharpness = Math.max(least, COARSER * this.sharpness);
    }
    clearTimeout(this.resting);
    if (this.sharpness === 1) return;
    this.resting = setTimeout(() => {
      if (playing.peek()) return;
      this.sharpness = 1;
      this.invalidate();
    }, REST_MS);
  }

  /** Draw no more. Whatever still knew the canvas would keep the whole view that it was in. */
  end(): void {
    this.over.abort();
    this.cells.clear();
    clearTimeout(this.resting);
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext(); // a browser has few of them
    this.gl = null;
  }

  get works(): boolean {
    return this.gl !== null;
  }

  /** Draw a cell from now on; the answer stops it. */
  add(cell: Cell): () => void {
    this.cells.add(cell);
    this.invalidate();
    return () => {
      this.cells.delete(cell);
      this.invalidate();
    };
  }

  /** Something has changed: draw with the next frame. */
  invalidate = (): void => {
    if (this.asked || this.over.signal.aborted) return;
    this.asked = true;
    requestAnimationFrame((time) => {
      this.asked = false;
      if (this.over.signal.aborted) return;
      if (this.leavesOut()) {
        this.invalidate();
        return;
      }
      tick(time);
      this.draw();
      if (playing.peek()) this.invalidate();
    });
  };

  /** What is to be seen is there: draw it without waiting for the next frame. */
  drawNow(): void {
    if (!this.over.signal.aborted) this.draw();
  }

  /** Software WebGL needs the cores that the server needs: while an answer is awaited, it draws seldom. */
  private leavesOut(): boolean {
    return this.isSoftware && performance.now() - this.drawnAt < (this.isAwaiting() ? PATIENCE_MS : FRESH_MS);
  }

  private begin(): void {
    const gl = this.canvas.getContext("webgl2", { alpha: true, antialias: false, depth: false, stencil: false });
    this.gl = gl;
    if (!gl) return;
    const named = gl.getExtension("WEBGL_debug_renderer_info");
    this.isSoftware = /swiftshader|llvmpipe|software/i.test(String(named && gl.getParameter(named.UNMASKED_RENDERER_WEBGL)));
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "link");
    gl.useProgram(program);
    for (const name of ["viewFromWorld", "clipFromView", "size", "ratio", "centre", "gridColour"]) {
      this.uniforms[name] = gl.getUniformLocation(program, name);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    ["places", "shapes"].forEach((name, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.uniform1i(gl.getUniformLocation(program, name), unit);
    });
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.invalidate();
  }

  private draw(): void {
    const gl = this.gl;
    if (!gl || gl.isContextLost()) return;
    this.adapt();
    const begun = performance.now();
    const bounds = this.canvas.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio, 2) * this.sharpness;
    const width = Math.round(bounds.width * ratio);
    const height = Math.round(bounds.height * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const prepared = this.prepare(bounds, ratio);
    gl.scissor(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.upload(gl);
    const grid = Number.parseInt(palette.value.grid.slice(1), 16);
    gl.uniform1f(this.uniforms["ratio"]!, ratio);
    gl.uniform3f(this.uniforms["gridColour"]!, (grid >> 16) / 255, ((grid >> 8) & 255) / 255, (grid & 255) / 255);
    let drawCalls = 0;
    for (const cell of prepared) {
      if (!cell.count) continue;
      gl.viewport(cell.left, cell.bottom, cell.width, cell.height);
      gl.scissor(cell.left, cell.bottom, cell.width, cell.height);
      const { camera, target } = cell.scene.camera;
      gl.uniformMatrix4fv(this.uniforms["viewFromWorld"]!, false, camera.matrixWorldInverse.elements);
      gl.uniformMatrix4fv(this.uniforms["clipFromView"]!, false, camera.projectionMatrix.elements);
      gl.uniform2f(this.uniforms["size"]!, cell.width, cell.height);
      gl.uniform2f(this.uniforms["centre"]!, target.x, target.z);
      gl.drawElements(gl.TRIANGLES, 6 * cell.count, gl.UNSIGNED_INT, 4 * 6 * cell.first);
      drawCalls++;
    }
    this.counts.drawCalls = drawCalls;
    this.counts.frames++;
    this.drawnAt = performance.now();
    this.counts.lastMilliseconds = this.drawnAt - begun;
  }

  private prepare(bounds: DOMRect, ratio: number): Prepared[] {
    this.batch.clear();
    const prepared: Prepared[] = [];
    for (const cell of this.cells) {
      const box = cell.element.getBoundingClientRect();
      const seen =
        box.right > bounds.left && box.left < bounds.right && box.bottom > bounds.top && box.top < bounds.bottom;
      if (!seen || box.width < 4 || box.height < 4) continue;
      const scene = cell.scene();
      if (!scene) continue;
      scene.camera.update(box.width / box.height);
      const first = this.batch.shapes;
      addScene(this.batch, scene, palette.value);
      prepared.push({
        left: Math.round((box.left - bounds.left) * ratio),
        bottom: Math.round((bounds.bottom - box.bottom) * ratio),
        width: Math.round(box.width * ratio),
        height: Math.round(box.height * ratio),
        scene,
        first,
        count: this.batch.shapes - first,
      });
    }
    return prepared;
  }

  private upload(gl: WebGL2RenderingContext): void {
    const { batch } = this;
    const placeRows = Math.ceil(batch.nodes / TEXTURE_WIDTH);
    gl.activeTexture(gl.TEXTURE0);
    if (placeRows > this.placeRows) {
      this.placeRows = roomy(placeRows);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, TEXTURE_WIDTH, this.placeRows, 0, gl.RGBA, gl.FLOAT, null);
    }
    if (placeRows) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TEXTURE_WIDTH, placeRows, gl.RGBA, gl.FLOAT, batch.places, 0);
    const shapeRows = Math.ceil(batch.shapes / SHAPES_IN_ROW);
    gl.activeTexture(gl.TEXTURE1);
    if (shapeRows > this.shapeRows) {
      this.shapeRows = roomy(shapeRows);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32UI, TEXTURE_WIDTH, this.shapeRows, 0, gl.RGBA_INTEGER, gl.UNSIGNED_INT, null);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, cornersOf(this.shapeRows * SHAPES_IN_ROW), gl.STATIC_DRAW);
    }
    if (shapeRows) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TEXTURE_WIDTH, shapeRows, gl.RGBA_INTEGER, gl.UNSIGNED_INT, batch.words, 0);
  }
}

function roomy(rows: number): number {
  return Math.max(4, 2 ** Math.ceil(Math.log2(rows)));
}

/** The vertices of two triangles for every shape. */
function cornersOf(shapes: number): Uint32Array {
  const corners = new Uint32Array(6 * shapes);
  for (let shape = 0; shape < shapes; shape++) {
    [0, 1, 2, 2, 1, 3].forEach((corner, i) => (corners[6 * shape + i] = 4 * shape + corner));
  }
  return corners;
}
