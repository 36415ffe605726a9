/** All keys, and other ones for whoever wants them. */
import { useSignal } from "@preact/signals";

import { type Action, actions, isRemapped, keyName, keysOf, remap } from "../keys";

const GROUPS = ["Play", "Segment", "Plants", "Search", "Matches", "Labels", "Stage", "Camera", "Library", "Page"];

export default function Help({ close }: { close: () => void }) {
  const asking = useSignal<string | null>(null);
  const groups = new Map<string, Action[]>();
  for (const action of actions.value) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  const ordered = [...groups].sort(([a], [b]) => GROUPS.indexOf(a) - GROUPS.indexOf(b));

  function pressed(event: KeyboardEvent): void {
    if (!asking.value || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key !== "Escape") remap(asking.value, keyName(event));
    asking.value = null;
  }

  return (
    <div class="column" onKeyDown={pressed}>
      <div class="row">
        <h1 class="grow">Keys</h1>
        <button onClick={close}>Close</button>
      </div>
      <p class="faint">Click a key to choose another one; what a view offers is listed while the view is open.</p>
      <div class="keys">
        {ordered.map(([group, members]) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {members.map((action) => (
                <li key={action.id}>
                  <span>{action.title}</span>
                  <span>
                    {isRemapped(action.id) && (
                      <button class="bare small" onClick={() => remap(action.id, null)}>
                        reset
                      </button>
                    )}
                    <button aria-label={`${keysOf(action).map(shown).join(" ")}: key for ${action.title}`} onClick={() => (asking.value = action.id)}>
                      {asking.value === action.id
                        ? "press a key…"
                        : keysOf(action).map((key) => <kbd key={key}>{shown(key)}</kbd>)}
                    </button>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function shown(key: string): string {
  return key.replace("Escape", "Esc").replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓");
}
