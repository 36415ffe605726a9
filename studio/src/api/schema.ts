/** The types of the server's calls. Written by studio/schema_types.py from their schema: do not edit. */

/** Where a foot stands. */
export interface AddPlantsBody {
  segments: SegmentBody[];
  foot: "left" | "right";
  parts?: ("heel" | "toe")[];
  place?: [number, number, number] | null;
}

export interface AlignmentAnswer {
  rate_hz: number;
  n_query: number;
  pairs: number[];
}

/** What a parametric motion is asked for: values, or a path of values over some seconds. */
export interface AskBody {
  values?: Record<string, number> | number[] | null;
  path?: number[][] | null;
  secs?: number | null;
  corrections?: number;
  clean_up?: boolean;
  hz?: number;
  keep?: string | null;
}

export interface BankAnswer {
  name: string;
  read_only: boolean;
  clips: number;
  frames: number;
  seconds: number;
  labels: LabelCount[];
  change: number;
}

/** A blend of registered segments; `keep` makes it a clip. */
export interface BlendBody {
  registration: string;
  weights?: number[] | number[][] | null;
  groups?: Record<string, number[]>;
  clean_up?: boolean;
  hz?: number;
  keep?: string | null;
}

export interface Capsule {
  nodes: number[];
  radii: number[];
  limb: number;
  side: "left" | "right" | "middle";
}

export interface ChangeAnswer {
  change: number;
  at: string;
  command: string;
  rows: number;
  undoes: number | null;
  undone_by: number | null;
  permanent: boolean;
}

/** A change, by its number in the log. */
export interface ChangeBody {
  change: number;
}

export interface CleanAnswer {
  segments: Record<string, unknown>[];
  change: number | null;
}

/** Segments whose feet are held. */
export interface CleanBody {
  segments: SegmentBody[];
  preview?: boolean;
  reach?: number;
  fade_secs?: number;
  hold_all?: boolean;
  hz?: number;
}

export interface ClipAnswer {
  id: number;
  clip: string;
  frames: number;
  frame_time: number;
  seconds: number;
  description: string;
  mannequin: string;
  labels: ClipLabel[];
  plants: PlantAnswer[];
  plants_origin: string | null;
  edits: number;
  mapped: boolean;
  mean_speed: number;
}

export interface ClipLabel {
  label: string;
  start: number | null;
  stop: number | null;
  strength: number;
  origin: string;
}

export interface ClipList {
  total: number;
  clips: ListedClip[];
}

/** Clips, by their numbers. */
export interface ClipsBody {
  clips: number[];
}

export interface ClusterAnswer {
  ranks: number[];
  medoid_rank: number;
  spread: number;
}

export interface ClustersAnswer {
  clusters: ClusterAnswer[];
}

/** From a frame to another one, or to the best frame with a label, within some seconds; `keep` makes it a clip. */
export interface ConnectBody {
  source: FrameBody;
  target?: FrameBody | null;
  label?: string | null;
  within?: number;
  secs?: number;
  graph?: string | null;
  by?: "any" | "graph" | "transition" | "mixed";
  lead_secs?: number;
  clean_feet?: boolean;
  hz?: number;
  keep?: string | null;
}

export interface CurveAnswer {
  clip_id: number;
  start: number;
  stop: number;
  label: string;
  points: number[][];
}

export interface CurvesAnswer {
  space: string;
  rate_hz: number;
  shares: number[];
  curves: CurveAnswer[];
}

/** Segments, and labels whose segments are meant, in a space; without a name, in that of the library. */
export interface CurvesBody {
  space?: string | null;
  segments?: SegmentBody[];
  labels?: string[];
}

/** An operation on a segment, and on all that is like it. */
export interface EditBody {
  segment: SegmentBody;
  operation: string;
  parameters?: Record<string, unknown>;
  to?: EditTargets;
  itself?: boolean;
  drop?: number[];
  overlaps?: boolean;
  new_clips?: boolean;
  variants?: number;
  options?: EditOptions;
  hz?: number;
  play?: boolean;
  measured?: boolean;
}

/** How an operation is put on; what is not said is as the command line has it. */
export interface EditOptions {
  joints?: string[];
  strength?: number;
  strength_by?: "constant" | "proportional" | [number, number][];
  ease_secs?: number;
  protect?: boolean;
  align?: boolean;
  align_joints?: string[];
  vary?: Record<string, [number, number]>;
  seed?: number;
  score_limit?: number | null;
  hold?: string[];
}

export interface EditRows {
  edits: Record<string, unknown>[];
  left_alone: string[];
  new_clips: string[];
  change: number | null;
}

/** Where an edit goes beside its example: segments, matches of a result or a selection, what carries labels, or what a search finds. */
export interface EditTargets {
  segments?: SegmentBody[];
  result?: string | null;
  ranks?: number[] | null;
  selection?: string | null;
  labels?: string[];
  search?: Record<string, unknown> | null;
}

export interface EndedJobAnswer {
  id: string;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  messages: string[];
  error: string | null;
  result: unknown;
}

/** What exact search is asked: the nearest of all segments. */
export interface ExactRequest {
  text?: string;
  labels?: string[];
  names?: string[];
  without_labels?: string[];
  without_names?: string[];
  per?: "match" | "clip" | "performer";
  where?: string[];
  distance?: "dtw" | "euclid" | "lcss";
  descriptions?: string[];
  joints?: string[];
  weights?: Record<string, number>;
  over_time?: number[];
  window?: number | number[];
  tolerance?: number;
  tolerances?: Record<string, number>;
  scale?: number;
  mirrored?: "no" | "only" | "both";
  k?: number | null;
  within?: number | null;
  onsets?: number;
  expand?: number | null;
  with_itself?: boolean;
  sources?: PartBody[];
  also?: SegmentBody[];
  combine?: "any" | "all";
  unlike?: PartBody[];
  unlike_weight?: number;
  steps?: number;
  at_least?: number | null;
  profile?: unknown;
  without?: SegmentBody[];
}

export interface ExplainAnswer {
  parts: string[];
  by_part: number[];
  by_phase: number[];
  cells: number[][];
  sizes: number[][];
  unit: string;
  distance: number;
  rate_hz: number;
}

/** A match of an earlier result. */
export interface ExplainBody {
  result: string;
  rank: number;
}

/** What is exported, and how. */
export interface ExportBody {
  segments?: SegmentBody[];
  selection?: string | null;
  ranks?: number[] | null;
  format?: "bvh" | "glb";
  onto?: "reference" | number | null;
  mirror?: boolean;
  as_query?: boolean;
  query_clock?: boolean;
  recentre?: boolean;
  rate_hz?: number | null;
}

export interface FeedbackAnswer {
  result: string;
  matches: MatchAnswer[];
  suggested_cut: number | null;
  notes: string[];
  took_ms: number;
  learned: Record<string, number>;
  accepted: number;
  rejected: number;
  change: number | null;
}

/** Which matches of an earlier result are right, and which wrong. */
export interface FeedbackBody {
  result: string;
  accepted?: number[];
  rejected?: number[];
  keep_profile?: string | null;
  overwrite?: boolean;
}

/** An uploaded file, or frames [start, stop) of it. */
export interface FileBody {
  file_id: string;
  start?: number | null;
  stop?: number | null;
}

/** A path on the ground, as points (x, z) in metres. */
export interface FollowBody {
  avoid?: SegmentBody[];
  body?: number | null;
  clean?: boolean;
  hz?: number;
  keep?: string | null;
  points: [number, number][];
  only?: string[];
  start?: FrameBody | null;
  time_limit_secs?: number | null;
}

/** A frame of a clip. */
export interface FrameBody {
  clip_id: number;
  frame: number;
}

export interface GraphAnswer {
  nodes: GraphNode[];
  edges: GraphEdge[];
  left_out: number;
}

/** An earlier search through a web, and how many of its nodes are wanted. */
export interface GraphBody {
  result: string;
  most?: number;
}

export interface GraphEdge {
  nodes: number[];
  cost_cm: number;
}

export interface GraphFacts {
  graph: string;
  transitions: number;
  clips: number;
}

export interface GraphList {
  graphs: string[];
}

export interface GraphNode {
  node: number;
  tier: number;
  before: number;
  distance_cm: number;
  clip_id: number | null;
  clip: string;
  start: number;
  stop: number;
  rejected: boolean;
}

export interface Head {
  joint: number;
  tip: number | null;
  neck: number;
  half_length: number;
  half_width: number;
}

/** Uploaded files that become clips, and the words of `motionary import`. */
export interface ImportBody {
  file_ids: string[];
  options?: Record<string, unknown>;
}

/** A match of an earlier result by its rank, or a segment by itself: of both, the segment if the result is gone. */
export interface ItemBody {
  result?: string | null;
  rank?: number | null;
  segment?: SegmentBody | null;
}

export interface JobAnswer {
  id: string;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  messages: string[];
  error: string | null;
}

/** A piece of work. */
export interface JobBody {
  kind: string;
  arguments?: Record<string, unknown>;
}

export interface JobList {
  jobs: JobAnswer[];
}

/** What is kept under which name: all or some matches of a result, or items from anywhere. */
export interface KeepBody {
  name: string;
  result?: string | null;
  ranks?: number[] | null;
  items?: ItemBody[] | null;
  overwrite?: boolean;
}

export interface KeptClip {
  clip_id: number;
  change: number | null;
}

/** Labels, and the segments and whole clips that they are put on or taken off. */
export interface LabelBody {
  labels: string[];
  segments?: SegmentBody[];
  clips?: number[];
}

export interface LabelChange {
  number: number;
  change: number | null;
}

export interface LabelCount {
  label: string;
  clips: number;
  segments: number;
}

export interface LabelList {
  labels: LabelCount[];
}

export interface LabelledList {
  segments: LabelledSegmentAnswer[];
}

export interface LabelledSegmentAnswer {
  clip_id: number;
  clip: string;
  start: number;
  stop: number;
}

export interface Lanes {
  buckets: number;
  frames: number;
  speed: (number | null)[];
  score: (number | null)[];
  contacts: Record<string, number[]>;
}

export interface LayerList {
  layers: Record<string, unknown>[];
}

export interface ListedClip {
  id: number;
  clip: string;
  frames: number;
  frame_time: number;
  seconds: number;
  labels: string[];
  description: string;
  mannequin: string;
}

export interface LogAnswer {
  changes: ChangeAnswer[];
}

export interface MadeMotion {
  clip_id: number;
  change: number | null;
}

export interface MadeTransition {
  clip_id: number;
  change: number | null;
}

export interface MannequinAnswer {
  size: number;
  centre: number;
  nodes: Node[];
  capsules: Capsule[];
  head: Head | null;
}

export interface MatchAnswer {
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
  alignment: AlignmentAnswer;
}

/** Which motions are wanted. */
export interface MotionsBody {
  segments: SegmentBody[];
  hz?: number;
}

/** A new name. */
export interface NameBody {
  name: string;
}

export interface Node {
  name: string;
  parent: number;
  radius: number;
  limb: number;
  side: "left" | "right" | "middle";
}

export interface OperationList {
  operations: Record<string, unknown>[];
}

/** Two transitions to be compared. */
export interface PairBody {
  secs?: number;
  seed?: number | null;
  hz?: number;
}

export interface ParametricAnswer {
  parametric: string;
  parameters: Record<string, unknown>[];
  examples: Record<string, unknown>[];
  region: number[][];
  measures: string[];
}

export interface ParametricList {
  parametrics: ParametricListed[];
}

export interface ParametricListed {
  parametric: string;
  measures: string[];
  examples: number;
}

/** A segment that stands for some parts of the body; "" for the whole. */
export interface PartBody {
  parts?: string;
  segment: SegmentBody;
}

export interface PlantAnswer {
  foot: "left" | "right";
  part: "heel" | "toe";
  start: number;
  stop: number;
  place: number[];
  origin: string;
}

/** One plant of a clip; without a place, where the foot is on average. */
export interface PlantBody {
  foot: "left" | "right";
  part: "heel" | "toe";
  start: number;
  stop: number;
  place: [number, number, number];
}

export interface PlantChange {
  number: number;
  change: number | null;
}

/** All plants of a clip. */
export interface PlantsBody {
  plants: PlantBody[];
}

/** What a search in a pose space is asked. */
export interface PoseRequest {
  text?: string;
  labels?: string[];
  names?: string[];
  without_labels?: string[];
  without_names?: string[];
  per?: "match" | "clip" | "performer";
  where?: string[];
  neighbours?: number;
  ranking?: "gist" | "mean" | "even" | "robust";
  mirrored?: "no" | "only" | "both";
  k?: number | null;
  within?: number | null;
  with_itself?: boolean;
  space?: unknown;
  character?: string | null;
}

/** What is wrong, and what to do. */
export interface Problem {
  error: string;
  remedy?: string | null;
}

export interface ProfileAnswer {
  profile: string;
  learned_from: string;
  accepted: number;
  rejected: number;
}

export interface ProfileList {
  profiles: ProfileAnswer[];
}

/** Segments to be aligned with each other, or the matches of a selection, or what carries labels. */
export interface RegisterBody {
  segments?: SegmentBody[];
  selection?: string | null;
  labels?: string[];
  mirror?: boolean;
  slope_limit?: number;
  paths?: "graph" | "direct";
  rate_hz?: number | null;
}

export interface RegistrationAnswer {
  registration: string;
  reference: string;
  clock_frames: number;
  rate_hz: number;
  plants: Record<string, unknown>[];
  sources: Record<string, unknown>[];
  left_out: Record<string, unknown>[];
  curves: number[][];
}

/** Where feet do not stand. */
export interface RemovePlantsBody {
  segments: SegmentBody[];
  feet?: ("left" | "right")[];
  parts?: ("heel" | "toe")[];
}

export interface RemovedLayers {
  layers: Record<string, unknown>[];
  change: number | null;
}

export interface RemovedSpace {
  change: number | null;
}

/** A clip's new name. */
export interface RenameBody {
  name: string;
}

/** An earlier result. */
export interface ResultBody {
  result: string;
}

export interface SearchAnswer {
  result: string;
  matches: MatchAnswer[];
  suggested_cut: number | null;
  notes: string[];
  took_ms: number;
}

/** What is looked for, and how. */
export interface SearchBody {
  query: SegmentBody | FileBody;
  by?: "exact" | "scan" | "wpca" | "web";
  k?: number | null;
  options?: ExactRequest | PoseRequest | WebRequest;
}

/** Frames [start, stop) of one clip. */
export interface SegmentBody {
  clip_id: number;
  start: number;
  stop: number;
  mirrored?: boolean;
}

export interface SelectionAnswer {
  selection: string;
  matches: number;
  method: string;
  query: Record<string, unknown> | null;
  asked: Record<string, unknown>;
  kept_at: string;
}

export interface SelectionChange {
  change: number | null;
}

export interface SelectionList {
  selections: SelectionAnswer[];
}

export interface SelectionMatches {
  selection: SelectionAnswer;
  matches: MatchAnswer[];
}

export interface SpaceList {
  spaces: Record<string, unknown>[];
}

/** Which spread labels are meant: at least one way to choose must be given, or `everything`. */
export interface SpreadBody {
  labels?: string[];
  segments?: SegmentBody[] | null;
  at_least?: number;
  below?: number | null;
  everything?: boolean;
}

export interface SpreadLabelAnswer {
  clip_id: number;
  clip: string;
  start: number;
  stop: number;
  label: string;
  strength: number;
  example: string;
}

export interface SpreadList {
  total: number;
  labels: SpreadLabelAnswer[];
}

export interface TableList {
  tables: Record<string, unknown>[];
}

/** Which ranks are dropped, or kept. */
export interface ThinBody {
  drop?: number[] | null;
  keep?: number[] | null;
}

/** A label, and for how long at least. */
export interface ThroughBody {
  label: string;
  secs?: number;
}

/** From a frame to another one, or to the best frame with a label; `keep` makes it a clip. */
export interface TransitionBody {
  source: FrameBody;
  target?: FrameBody | null;
  label?: string | null;
  secs?: number;
  method?: "table" | "direct" | "inertial" | "dead";
  clean_feet?: boolean;
  lead_secs?: number;
  seed?: number;
  hz?: number;
  keep?: string | null;
}

export interface UndoAnswer {
  undone: number;
  change: number | null;
}

export interface UploadAnswer {
  file_id: string;
  name: string;
  bytes: number;
}

export interface VerdictAnswer {
  judged: number;
  threshold_cm: number;
  judged_threshold_cm: number | null;
  agreement: number | null;
  change: number | null;
}

/** Which of a pair is natural: a, b, = (both) or - (neither). */
export interface VerdictBody {
  pair: string;
  answer: "a" | "b" | "=" | "-";
}

/** A walk of some seconds. */
export interface WalkBody {
  avoid?: SegmentBody[];
  body?: number | null;
  clean?: boolean;
  hz?: number;
  keep?: string | null;
  secs?: number;
  seed?: number;
  start?: FrameBody | null;
  prefer?: Record<string, number>;
  only?: string[];
}

/** The shortest way to a frame, to a label, or through labels in order. */
export interface WayBody {
  avoid?: SegmentBody[];
  body?: number | null;
  clean?: boolean;
  hz?: number;
  keep?: string | null;
  start: FrameBody;
  goal?: FrameBody | null;
  label?: string | null;
  labels?: ThroughBody[];
  seed?: number;
}

export interface WebList {
  webs: Record<string, unknown>[];
}

/** What a search through a match web is asked. */
export interface WebRequest {
  text?: string;
  labels?: string[];
  names?: string[];
  without_labels?: string[];
  without_names?: string[];
  epsilon_cm?: number | null;
  within?: number | null;
  steps?: number | null;
  k?: number | null;
  rejected?: SegmentBody[];
  web?: string | null;
}

export interface WrittenAnswer {
  change: number | null;
}

/** Every call: what it takes and what it answers. */
export interface Calls {
  "GET /bank": { answer: BankAnswer };
  "POST /blend": { body: BlendBody; answer: KeptClip | ArrayBuffer };
  "POST /blend/register": { body: RegisterBody; answer: RegistrationAnswer };
  "POST /clean": { body: CleanBody; answer: CleanAnswer | ArrayBuffer };
  "GET /clips": { query: { words?: string; label?: string[]; ids?: string | null; sort?: "id" | "name" | "length" | "newest"; offset?: number; limit?: number }; answer: ClipList };
  "POST /clips/remove": { body: ClipsBody; answer: WrittenAnswer };
  "GET /clips/{clip_id}": { answer: ClipAnswer };
  "DELETE /clips/{clip_id}/edits": { query: { position?: number[] }; answer: RemovedLayers };
  "GET /clips/{clip_id}/edits": { answer: LayerList };
  "GET /clips/{clip_id}/lanes": { query: { buckets?: number }; answer: Lanes };
  "GET /clips/{clip_id}/motion": { query: { start?: number; stop?: number | null; hz?: number | null }; answer: ArrayBuffer };
  "POST /clips/{clip_id}/plants": { body: PlantsBody; answer: PlantChange };
  "POST /clips/{clip_id}/plants/detect": { answer: PlantChange };
  "POST /clips/{clip_id}/rename": { body: RenameBody; answer: WrittenAnswer };
  "POST /clusters": { body: ResultBody; answer: ClustersAnswer };
  "POST /edits/apply": { body: EditBody; answer: EditRows };
  "GET /edits/operations": { answer: OperationList };
  "POST /edits/preview": { body: EditBody; answer: EditRows | ArrayBuffer };
  "GET /events": { answer: ReadableStream };
  "POST /explain": { body: ExplainBody; answer: ExplainAnswer };
  "POST /export": { body: ExportBody; answer: ArrayBuffer };
  "POST /feedback": { body: FeedbackBody; answer: FeedbackAnswer };
  "GET /graphs": { answer: GraphList };
  "DELETE /graphs/{name}": { answer: GraphList };
  "GET /graphs/{name}": { answer: GraphFacts };
  "POST /graphs/{name}/follow": { body: FollowBody; answer: MadeMotion | ArrayBuffer };
  "POST /graphs/{name}/path": { body: WayBody; answer: MadeMotion | ArrayBuffer };
  "POST /graphs/{name}/walk": { body: WalkBody; answer: MadeMotion | ArrayBuffer };
  "POST /import": { body: ImportBody; answer: JobAnswer };
  "GET /jobs": { answer: JobList };
  "POST /jobs": { body: JobBody; answer: JobAnswer };
  "DELETE /jobs/{job_id}": { answer: JobAnswer };
  "GET /jobs/{job_id}": { answer: EndedJobAnswer };
  "GET /labels": { answer: LabelList };
  "POST /labels": { body: LabelBody; answer: LabelChange };
  "POST /labels/accept": { body: SpreadBody; answer: LabelChange };
  "POST /labels/reject": { body: SpreadBody; answer: LabelChange };
  "POST /labels/remove": { body: LabelBody; answer: LabelChange };
  "GET /labels/review": { query: { label?: string[]; offset?: number; limit?: number }; answer: SpreadList };
  "GET /labels/segments": { query: { label: string; strength?: number }; answer: LabelledList };
  "GET /log": { query: { last?: number }; answer: LogAnswer };
  "GET /mannequins/{key}": { answer: MannequinAnswer };
  "POST /motions": { body: MotionsBody; answer: ArrayBuffer };
  "GET /parametric": { answer: ParametricList };
  "DELETE /parametric/{name}": { answer: KeptClip };
  "GET /parametric/{name}": { answer: ParametricAnswer };
  "POST /parametric/{name}/ask": { body: AskBody; answer: KeptClip | ArrayBuffer };
  "POST /plants": { body: AddPlantsBody; answer: PlantChange };
  "POST /plants/remove": { body: RemovePlantsBody; answer: PlantChange };
  "GET /posters": { query: { ids: string }; answer: ArrayBuffer };
  "GET /profiles": { answer: ProfileList };
  "POST /redo": { body: ChangeBody; answer: UndoAnswer };
  "POST /search": { body: SearchBody; answer: SearchAnswer };
  "GET /selections": { answer: SelectionList };
  "POST /selections": { body: KeepBody; answer: SelectionChange };
  "DELETE /selections/{name}": { answer: SelectionChange };
  "GET /selections/{name}": { answer: SelectionMatches };
  "POST /selections/{name}/rename": { body: NameBody; answer: SelectionChange };
  "POST /selections/{name}/thin": { body: ThinBody; answer: SelectionChange };
  "GET /spaces": { answer: SpaceList };
  "POST /spaces/curves": { body: CurvesBody; answer: CurvesAnswer };
  "DELETE /spaces/{name}": { answer: RemovedSpace };
  "GET /transitions": { answer: TableList };
  "POST /transitions": { body: TransitionBody; answer: MadeTransition | ArrayBuffer };
  "POST /transitions/connect": { body: ConnectBody; answer: MadeTransition | ArrayBuffer };
  "POST /transitions/pair": { body: PairBody; answer: ArrayBuffer };
  "POST /transitions/verdict": { body: VerdictBody; answer: VerdictAnswer };
  "POST /undo": { body: ChangeBody; answer: UndoAnswer };
  "POST /uploads": { body: ArrayBuffer; answer: UploadAnswer };
  "GET /uploads/{file_id}/motion": { query: { hz?: number }; answer: ArrayBuffer };
  "GET /webs": { answer: WebList };
  "POST /webs/graph": { body: GraphBody; answer: GraphAnswer };
}
