/** Keys and what they do. Panels register actions; the user can give each another key. */
import { signal } from "@preact/signals";

export interface Action {
  id: string;
  title: string;
  group: string;
  keys: readonly string[]; // as `keyName` writes them
  run: () => void;
}

const STORED = "motionary-keys";
const chosen = signal<Record<string, string>>(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, string>);
const registered = new Map<string, Action[]>();
export const actions = signal<readonly Action[]>([]);

/** Let actions answer their keys; the newest registration of an id wins. The answer takes them back. */
export function register(...added: Action[]): () => void {
  for (const action of added) registered.set(action.id, [...(registered.get(action.id) ?? []), action]);
  publish();
  return () => {
    for (const action of added) {
      const left = registered.get(action.id)!.filter((other) => other !== action);
      if (left.length) registered.set(action.id, left);
      else registered.delete(action.id);
    }
    publish();
  };
}

function publish(): void {
  actions.value = [...registered.values()].map((stack) => stack.at(-1)!);
}

export function keysOf(action: Action): readonly string[] {
  const own = chosen.value[action.id];
  return own ? [own] : action.keys;
}

/** Give an action another key; null gives it its own back. */
export function remap(id: string, key: string | null): void {
  const rest = Object.fromEntries(Object.entries(chosen.value).filter(([other]) => other !== id));
  chosen.value = key ? { ...rest, [id]: key } : rest;
  localStorage.setItem(STORED, JSON.stringify(chosen.value));
}

export function isRemapped(id: string): boolean {
  return id in chosen.value;
}

/** "Ctrl+Shift+Z", "Alt+[", "Space", "?": what a key event is called. */
export function keyName(event: KeyboardEvent): string {
  let key = event.key === " " ? "Space" : event.key;
  if (key.length === 1) key = key.toUpperCase();
  const shown = /^[A-Z0-9]$/.test(key) || key.length > 1; // other signs say themselves whether Shift is held
  return [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.altKey ? "Alt+" : "",
    event.shiftKey && shown ? "Shift+" : "",
    key,
  ].join("");
}

const IN_LISTS = new Set(["ArrowUp", "ArrowDown", "Home", "End"]);
const IN_SLIDERS = new Set([...IN_LISTS, "ArrowLeft", "ArrowRight"]);

function isTaken(event: KeyboardEvent, name: string): boolean {
  const target = event.target as HTMLElement;
  if (target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]")) {
    return !/^Ctrl\+(Shift\+)?Z$/.test(name) || target instanceof HTMLInputElement;
  }
  if (target.closest("dialog")) return true;
  // A focused button or list keeps the keys that the browser gives it
  if (target.closest("button, a, summary") && (name === "Space" || name === "Enter")) return true;
  if (target.closest("[data-keys=list]")) return IN_LISTS.has(name);
  return target.closest("input[type=range]") !== null && IN_SLIDERS.has(name);
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const name = keyName(event);
    if (isTaken(event, name)) return;
    const action = actions.value.find((candidate) => keysOf(candidate).includes(name));
    if (!action) return;
    event.preventDefault();
    action.run();
  });
}
