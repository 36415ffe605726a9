/** What modules of the page read when they are loaded, where there is no browser. */
const store = new Map<string, string>();
const storage = {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
};
Object.assign(globalThis, {
  location: { pathname: "/", search: "", hash: "" },
  localStorage: storage,
  sessionStorage: storage,
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
  addEventListener: () => {},
  document: { documentElement: { dataset: {} }, addEventListener: () => {} },
});
