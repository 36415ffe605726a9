/** The frame of the page: what is where, the navigation, and the states in which there is nothing else to show. */
import { effect, signal, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { inWords } from "../api/client";
import { redo, undo } from "../commands/history";
import { theme, toggleTheme } from "../draw/palette";
import { register } from "../keys";
import { bank, connection, failure, loadBank } from "../state/bank";
import { report } from "../state/notices";
import { go, route } from "../state/route";
import { copyWording } from "../ui/copy";
import { ImportDrop } from "./import_drop";
import { Library } from "./library";
import { Notices } from "./notices";
import { PANELS, type Panel } from "./registry";

const loaded = signal<ReadonlyMap<string, ComponentType>>(new Map());
const loading = new Set<string>();

/** The code of a panel comes when the panel is first shown. */
effect(() => {
  for (const panel of PANELS) {
    if (!panel.shown(route.value) || loading.has(panel.id)) continue;
    loading.add(panel.id);
    panel.load().then(
      (module) => {
        loaded.value = new Map([...loaded.peek(), [panel.id, module.default]]);
      },
      (error: unknown) => {
        loading.delete(panel.id);
        report(error);
      },
    );
  }
});

function shownPanels(place: Panel["place"]): Panel[] {
  return PANELS.filter((panel) => panel.place === place && panel.shown(route.value));
}

/** Panels come when the bank is known: what they show of it is there from the start, and moves nothing when it comes. */
function Place({ place }: { place: Panel["place"] }) {
  if (!bank.value) return null;
  return (
    <>
      {shownPanels(place).map((panel) => {
        const Component = loaded.value.get(panel.id);
        return Component ? <Component key={panel.id} /> : null;
      })}
    </>
  );
}

export function Shell() {
  const help = useSignal(false);
  useEffect(
    () =>
      register(
        { id: "help", title: "Show these keys", group: "Page", keys: ["?"], run: () => (help.value = true) },
        { id: "copy-command", title: "Copy as command", group: "Page", keys: ["Ctrl+Shift+C"], run: () => void copyWording("command") },
        { id: "undo", title: "Undo what this page did last", group: "Page", keys: ["Ctrl+Z"], run: () => void undo() },
        { id: "redo", title: "Redo", group: "Page", keys: ["Ctrl+Shift+Z"], run: () => void redo() },
        { id: "theme", title: "Light or dark", group: "Page", keys: ["Shift+D"], run: toggleTheme },
      ),
    [],
  );
  return (
    <div class="shell">
      <header class="top">
        <h1 class="hidden-from-view">Motionary Studio</h1>
        <a class="name" href="/" onClick={follow} title="Start">
          Motionary
        </a>
        <nav aria-label="Views">
          {PANELS.filter((panel) => panel.address).map((panel) => (
            <button
              key={panel.id}
              class="bare"
              aria-pressed={panel.shown(route.value)}
              onClick={() => go(panel.address!)}
            >
              {panel.title}
            </button>
          ))}
        </nav>
        <span class="bank grow clipped faint small">{bank.value?.name ?? ""}</span>
        <ImportDrop />
        <span class="row tight small copy" role="group" aria-label="Copy what is shown">
          <span class="faint">Copy as</span>
          <button class="bare" onClick={() => void copyWording("command")} aria-label="Copy as command">
            command
          </button>
          <button class="bare" onClick={() => void copyWording("python")} aria-label="Copy as Python">
            Python
          </button>
        </span>
        <button class="bare" onClick={toggleTheme} aria-label="Light or dark">
          {theme.value === "dark" ? "Light" : "Dark"}
        </button>
        <button class="bare" onClick={() => (help.value = true)} aria-label="Keys">
          <kbd>?</kbd>
        </button>
      </header>
      <Library />
      <main class="centre">
        <Place place="centre" />
        <Welcome />
      </main>
      <aside class="right" aria-label="Inspector">
        <div class="scrolls">
          <Place place="right" />
        </div>
        <div class="foot">
          <Place place="foot" />
        </div>
      </aside>
      {shownPanels("bottom").length > 0 && (
        <footer class="bottom" aria-label="Timeline">
          <Place place="bottom" />
        </footer>
      )}
      <Notices />
      {help.value && <Help close={() => (help.value = false)} />}
    </div>
  );
}

function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.button) return;
  event.preventDefault();
  go((event.currentTarget as HTMLAnchorElement).getAttribute("href")!);
}

/** What the centre says while there is nothing to show there. */
function Welcome() {
  const known = bank.value;
  if (connection.value === "offline") {
    return (
      <div class="state covers" role="alert">
        <h1>The server does not answer</h1>
        <p>It may have been stopped. The page tries again every two seconds; start it with</p>
        <pre>motionary studio {known?.name ?? "library.bank"}</pre>
        <button onClick={() => void loadBank()}>Try now</button>
      </div>
    );
  }
  if (connection.value === "refused") {
    return (
      <div class="state covers" role="alert">
        <h1>This page has no key to the server</h1>
        <p>Open the file that the terminal printed when the studio started. Each start makes a new key.</p>
      </div>
    );
  }
  if (connection.value === "failed") {
    return (
      <div class="state covers" role="alert">
        <h1>The bank cannot be read</h1>
        <p>{inWords(failure.value)}</p>
        <button onClick={() => void loadBank()}>Try again</button>
      </div>
    );
  }
  if (known && !shownPanels("centre").length && route.value.view !== "") {
    return (
      <div class="state">
        <h1>There is no such view</h1>
        <p>The views of the studio are listed above, the clips of the bank on the left.</p>
      </div>
    );
  }
  if (known && !known.clips && route.value.view === "") {
    return (
      <div class="state">
        <h1>This bank is empty</h1>
        <p>Drop BVH, ASF and AMC files onto this page to import them, or import a folder with</p>
        <pre>motionary import {known.name} captures/</pre>
        <p class="faint">Nothing at hand? This generates five minutes of labelled sample motion:</p>
        <pre>motionary sample {known.name} --minutes 5</pre>
      </div>
    );
  }
  return null;
}

function Help({ close }: { close: () => void }) {
  const body = useSignal<ComponentType<{ close: () => void }> | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    import("./help").then((module) => (body.value = module.default), report);
  }, []);
  const Body = body.value;
  return (
    <dialog ref={dialog} onClose={close} aria-label="Keys">
      {Body ? <Body close={close} /> : null}
    </dialog>
  );
}
