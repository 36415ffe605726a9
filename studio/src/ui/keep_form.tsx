/** A name, under which what was made becomes a clip. */
import { useSignal } from "@preact/signals";

import type { Command } from "../commands/command";
import { execute } from "../commands/history";

export function KeepForm({ command, disabled }: { command: (name: string) => Command; disabled: boolean }) {
  const name = useSignal("");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void execute(command(name.value)).then((done) => done && (name.value = ""));
      }}
    >
      <input
        placeholder="Clip name"
        aria-label="Name of the clip"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
        style={{ width: "9rem" }}
      />
      <button disabled={disabled || !name.value} type="submit">
        Keep
      </button>
    </form>
  );
}
