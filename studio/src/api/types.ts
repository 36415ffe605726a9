/** What the server answers; the field names are those of the command line's --json (docs/reference.md). */

export interface LabelCount {
  label: string;
  clips: number;
  segments: number;
}

export interface Bank {
  name: string;
  clips: number;
  frames: number;
  seconds: number;
  labels: LabelCount[];
  change: number | null;
  data_version: number;
}

export interface Clip {
  id: number;
  clip: string;
  frames: number;
  frame_time: number;
  seconds: number;
  labels: string[];
  description: string;
  mannequin: string;
}

export interface ClipPage {
  total: number;
  clips: Clip[];
}

export interface SegmentLabel {
  label: string;
  start: number | null; // null: the whole clip
  stop: number | null;
  origin: string;
  strength: number | null;
}

export interface Plant {
  foot: "left" | "right";
  part: string;
  start: number;
  stop: number;
}

export interface ClipDetails extends Omit<Clip, "labels"> {
  labels: SegmentLabel[];
  plants: Plant[];
  edits: number;
  source?: string;
  notes?: string[];
}

export interface Lanes {
  speed: (number | null)[];
  score?: (number | null)[];
}

export type Side = "left" | "right" | "middle";

export interface MannequinNode {
  name: string;
  parent: number;
  radius: number;
  limb: number;
  side: Side;
}

export interface MannequinAnswer {
  size: number;
  centre: number;
  nodes: MannequinNode[];
  capsules: { nodes: number[]; radii: number[]; limb: number; side: Side }[];
  head: { joint: number; tip: number | null; neck: number; half_length: number; half_width: number } | null;
}

export interface Segment {
  clip_id: number;
  start: number;
  stop: number;
  mirrored?: boolean;
}

export interface Match {
  rank: number;
  clip_id: number;
  clip: string;
  start: number;
  stop: number;
  distance: number;
  mean: number;
  unit: string;
  method: string;
  scale: number;
  mirrored: boolean;
  tier: number;
  secs: number;
  labels: string[];
  description: string;
  mannequin: string;
  alignment: Alignment;
}

/** Pairs of frames of query and match, both counted from their starts at `rate_hz`: q, m, q, m, … */
export interface Alignment {
  rate_hz: number;
  n_query: number;
  pairs: number[];
}

export interface SearchAnswer {
  matches: Match[];
  notes: string[];
  took_ms: number;
  result: string; // what /explain and /feedback call these matches
  suggested_cut: number | null;
}

export interface Explanation {
  parts: string[];
  by_part: number[];
  by_phase: number[];
  cells: number[][]; // [frame of the query][part], shares of the distance
  sizes: number[][]; // the same, in the unit of the match
  unit: string;
  rate_hz: number;
}

export interface Change {
  change: number;
  at: string;
  command: string;
  rows: number;
  undoes: number | null;
  undone_by: number | null;
  permanent: boolean;
}

export interface Job {
  id: string;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  messages: string[];
  error: string | null;
}

export interface SpreadLabel {
  clip_id: number;
  clip: string;
  start: number;
  stop: number;
  label: string;
  strength: number;
  example: string;
}

export interface SelectionSummary {
  selection: string;
  matches: number;
  method: string;
  kept_at: string;
}
