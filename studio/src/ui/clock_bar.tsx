/** Play, speed and a slider for whatever plays on the clock. */
import { changeSpeed, now, playing, range, seek, speed } from "../state/clock";
import { togglePlaying } from "../panels/play_keys";

export function ClockBar() {
  const [, last] = range.value;
  return (
    <div class="bar clock" role="toolbar" aria-label="Play">
      <button onClick={togglePlaying} disabled={!last}>
        {playing.value ? "Stop" : "Play"} <kbd>Space</kbd>
      </button>
      <button class="bare" onClick={() => changeSpeed(-1)} aria-label="Slower">
        <kbd>,</kbd>
      </button>
      <span class="number small" style={{ minWidth: "2.6rem", textAlign: "center" }}>
        {speed.value} ×
      </span>
      <button class="bare" onClick={() => changeSpeed(1)} aria-label="Faster">
        <kbd>.</kbd>
      </button>
      <input
        class="grow"
        type="range"
        aria-label="Moment"
        min="0"
        max={String(last)}
        step="any"
        disabled={!last}
        value={last ? now.value : 0}
        onInput={(event) => {
          playing.value = false;
          seek(Number(event.currentTarget.value));
        }}
      />
      <span class="faint small number">
        {last ? `${now.value.toFixed(2)} of ${last.toFixed(2)} s` : ""}
      </span>
    </div>
  );
}
