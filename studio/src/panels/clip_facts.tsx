/** What is known of the open clip. */
import { clip, frame, mark, segment, setMark } from "../state/clip";
import { now } from "../state/clock";
import { Chip } from "../ui/chip";
import { fromMoment, toMoment, transitionAddress } from "../state/moments";
import { go } from "../state/route";
import { exportSegments } from "../ui/download";
import { count, duration, segmentName } from "../ui/format";

export default function ClipFacts() {
  const open = clip.value;
  if (!open) return null;
  const rate = 1 / open.frame_time;
  const whole = open.labels.filter((label) => label.start === null);
  const parts = open.labels.filter((label) => label.start !== null);
  const marked = segment.value;
  return (
    <>
      <section class="section">
        <h2>Clip</h2>
        <dl class="options small number">
          <dt class="faint">Number</dt>
          <dd>#{open.id}</dd>
          <dt class="faint">Length</dt>
          <dd>
            {count(open.frames, "frame")}, {duration(open.seconds)} at {rate.toFixed(rate % 1 < 0.01 ? 0 : 2)} Hz
          </dd>
          <dt class="faint">Now</dt>
          <dd>
            frame {frame.value}, {now.value.toFixed(2)} s
          </dd>
          {open.edits > 0 && (
            <>
              <dt class="faint">Edits</dt>
              <dd>{count(open.edits, "layer")}</dd>
            </>
          )}
          {open.source && (
            <>
              <dt class="faint">Source</dt>
              <dd class="clipped" title={open.source}>
                {open.source}
              </dd>
            </>
          )}
        </dl>
      </section>
      <section class="section">
        <h2>Segment</h2>
        {marked ? (
          <p class="small number">
            Frames {marked.start} to {marked.stop} ({duration((marked.stop - marked.start) * open.frame_time)}){" "}
            <button class="bare small" onClick={() => setMark(null)}>
              Clear
            </button>
            <br />
            <button class="bare small" onClick={() => go(`/feet?${new URLSearchParams({ segment: segmentName(marked) })}`)}>
              Clean feet
            </button>
            <button class="bare small" onClick={() => go(`/edit?${new URLSearchParams({ segment: segmentName(marked) })}`)}>
              Edit
            </button>
            <button class="bare small" onClick={() => void exportSegments([marked], "bvh")}>
              BVH
            </button>
            <button class="bare small" onClick={() => void exportSegments([marked], "glb")}>
              GLB
            </button>
          </p>
        ) : (
          <p class="small faint">
            {mark.value ? (
              <>
                Begins at frame {mark.value.start}; <kbd>O</kbd> ends it.
              </>
            ) : (
              <>
                <kbd>I</kbd> begins a segment, <kbd>O</kbd> ends it; <kbd>Enter</kbd> does both while playing. Or drag
                on the timeline.
              </>
            )}
          </p>
        )}
      </section>
      <section class="section">
        <h2>
          Transition <span class="faint number">from {fromMoment.value ?? "…"} to {toMoment.value ?? "…"}</span>
        </h2>
        <div class="row wrap tight">
          <button class="bare small" title="A transition starts at this frame" onClick={() => (fromMoment.value = `#${open.id}:${frame.value}`)}>
            From here
          </button>
          <button class="bare small" title="A transition ends at this frame" onClick={() => (toMoment.value = `#${open.id}:${frame.value}`)}>
            To here
          </button>
          <button class="bare small" disabled={!fromMoment.value || !toMoment.value} title="Make the transition between the two frames" onClick={() => go(transitionAddress())}>
            Make it
          </button>
        </div>
      </section>
      <section class="section">
        <h2>Labels</h2>
        {!open.labels.length && <p class="small faint">None yet.</p>}
        <div class="row wrap">
          {whole.map((label) => (
            <Chip key={label.label} label={label.label} />
          ))}
        </div>
        <div class="items" style={{ maxHeight: "16rem", overflow: "auto" }}>
          {parts.map((label) => (
            <button
              key={`${label.label} ${label.start}`}
              class="bare item small number"
              onClick={() => {
                setMark({ start: label.start!, stop: label.stop! });
                now.value = label.start! * open.frame_time;
              }}
            >
              <Chip label={label.label} />
              <span class="grow" />
              <span class="faint">
                {label.start}–{label.stop}
              </span>
            </button>
          ))}
        </div>
      </section>
      {open.notes?.length ? (
        <section class="section">
          <h2>Notes of the import</h2>
          {open.notes.map((note) => (
            <p key={note} class="small faint">
              {note}
            </p>
          ))}
        </section>
      ) : null}
    </>
  );
}
