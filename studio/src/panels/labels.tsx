/** Labels by keys: 1 to 9 label the marked segment, or the chosen match. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Segment } from "../api/types";
import { execute } from "../commands/history";
import { PutLabels } from "../commands/put_labels";
import { RemoveLabels } from "../commands/remove_labels";
import { register } from "../keys";
import { bank } from "../state/bank";
import { clip, mark, segment } from "../state/clip";
import { chosenMatch, matchSegment } from "../state/find";
import { giveKey, labelKeys } from "../state/label_keys";
import { notify } from "../state/notices";
import { view } from "../state/route";
import { Chip } from "../ui/chip";
import { segmentName } from "../ui/format";

/** What a key labels now. */
function target(): Segment | null {
  if (view.value === "find") return chosenMatch.value && matchSegment(chosenMatch.value);
  return segment.value;
}

function put(label: string): void {
  const on = target();
  if (on) void execute(new PutLabels([label], [on]));
  else notify(mark.peek() ? "The segment has no end yet: O or Enter ends it here." : "Mark a segment with I and O first.", "error");
}

export default function Labels() {
  const name = useSignal("");
  useEffect(
    () =>
      register(
        ...Array.from({ length: 9 }, (_, i) => ({
          id: `label-${i + 1}`,
          title: `Label ${i + 1}`,
          group: "Labels",
          keys: [String(i + 1)],
          run: () => {
            const label = labelKeys.peek()[i];
            if (label) put(label);
          },
        })),
      ),
    [],
  );
  const on = target();
  const open = view.value === "clip" ? clip.value : null;
  const within = open && on ? open.labels.filter((label) => label.start !== null && label.start >= on.start && label.stop! <= on.stop) : [];
  return (
    <section class="section" aria-label="Label by keys">
      <h2>
        Label <span class="faint number">{on ? segmentName(on) : "the marked segment"}</span>
      </h2>
      <div class="row wrap tight">
        {labelKeys.value.map((label, i) => (
          <button key={label} class="bare small" disabled={!on} onClick={() => put(label)}>
            <kbd>{i + 1}</kbd> {label}
          </button>
        ))}
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const label = name.value.trim();
          if (!label) return;
          giveKey(label);
          put(label);
          name.value = "";
        }}
      >
        <input
          class="grow"
          placeholder="Another label"
          aria-label="Another label"
          list="known-labels"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <datalist id="known-labels">
          {bank.value?.labels.map((known) => (
            <option key={known.label} value={known.label} />
          ))}
        </datalist>
        <button type="submit" disabled={!on || !name.value.trim()}>
          Label
        </button>
      </form>
      {within.length > 0 && (
        <div class="row wrap">
          {within.map((label) => (
            <span key={`${label.label} ${label.start}`} class="row tight">
              <Chip label={label.label} />
              <button
                class="bare small"
                aria-label={`Take ${label.label} off`}
                onClick={() => void execute(new RemoveLabels([label.label], [{ clip_id: open!.id, start: label.start!, stop: label.stop! }]))}
              >
                ✕
              </button>
            </span>
          ))}
        </div>
      )}
    </section>
  );
}
