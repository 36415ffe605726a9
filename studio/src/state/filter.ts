/** Which clips the library lists: those with these words, and this label. */
import { signal } from "@preact/signals";

export const words = signal("");
export const label = signal("");
