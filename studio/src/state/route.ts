/** The address of the page. Path and query use the command line's words; the fragment holds only the view. */
import { computed, signal } from "@preact/signals";

export interface Route {
  view: string; // the first word of the path; "" is the start
  name: string; // the second
  query: URLSearchParams;
}

function read(): Route {
  const [view = "", name = ""] = location.pathname.slice(1).split("/").map(decoded);
  return { view, name, query: new URLSearchParams(location.search) };
}

/** A part of the path; what is badly encoded stays as it is, and names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal<Route>(read());
export const view = computed(() => route.value.view);

/** Go to an address of the page. `replace` keeps the way back as it was. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search + location.hash) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route.value = read();
}

/** Change the query of the address; null takes a word out. */
export function setQuery(words: Record<string, string | null>, { replace = true } = {}): void {
  const query = new URLSearchParams(location.search);
  for (const [word, value] of Object.entries(words)) {
    if (value === null || value === "") query.delete(word);
    else query.set(word, value);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : "") + location.hash, { replace });
}

/** The fragment changes without a trace in the history: it is the moment that is looked at. */
export function setFragment(words: Record<string, string>): void {
  const text = new URLSearchParams(words).toString();
  history.replaceState(null, "", location.pathname + location.search + (text ? `#${text}` : ""));
}

export function fragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

addEventListener("popstate", () => {
  route.value = read();
});
