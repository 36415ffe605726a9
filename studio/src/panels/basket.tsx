/** The basket, always in sight: keep it as a selection, export it. */
import { useSignal } from "@preact/signals";

import { execute } from "../commands/history";
import { KeepSelection } from "../commands/keep_selection";
import { basket, keyOf } from "../state/basket";
import { go } from "../state/route";
import { exportSegments } from "../ui/download";
import { segmentName } from "../ui/format";

export default function Basket() {
  const name = useSignal("");
  const kept = basket.value;
  return (
    <section class="section" aria-label="Basket">
      <div class="row">
        <h2>Basket ({kept.length})</h2>
        {!kept.length && (
          <p class="faint small clipped" title="B puts the marked segment or the chosen match in here">
            <kbd>B</kbd> puts a segment in here
          </p>
        )}
      </div>
      <div class="items" style={{ maxHeight: "12rem", overflow: "auto" }}>
        {kept.map((one) => (
          <div key={keyOf(one)} class="item small">
            <button
              class="bare grow clipped"
              style={{ textAlign: "left" }}
              onClick={() => go(`/clip/${one.segment.clip_id}?segment=${one.segment.start}-${one.segment.stop}#t=${one.segment.start}`)}
            >
              {one.clip} <span class="faint number">{segmentName(one.segment)}</span>
            </button>
            <button
              class="bare"
              aria-label={`Take ${one.clip} out`}
              onClick={() => (basket.value = basket.value.filter((other) => other !== one))}
            >
              ✕
            </button>
          </div>
        ))}
      </div>
      {kept.length > 0 && (
        <>
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              if (!name.value) return;
              const items = kept.map((one) =>
                one.result && one.rank ? { segment: one.segment, result: one.result, rank: one.rank } : { segment: one.segment },
              );
              void execute(new KeepSelection(name.value, items)).then((done) => {
                if (done) name.value = "";
              });
            }}
          >
            <input class="grow" placeholder="Name" aria-label="Name for the basket" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
            <button disabled={!name.value} type="submit">
              Keep
            </button>
          </form>
          <div class="row">
            <button onClick={() => void exportSegments(kept.map((one) => one.segment), "bvh")}>BVH</button>
            <button onClick={() => void exportSegments(kept.map((one) => one.segment), "glb")}>GLB</button>
            <span class="grow" />
            <button class="bare" onClick={() => (basket.value = [])}>
              Empty
            </button>
          </div>
        </>
      )}
    </section>
  );
}
