/** The page's names for the types of the server's calls, which are generated from its schema. */
import type {
  AlignmentAnswer,
  BankAnswer,
  ClipAnswer,
  ClipLabel,
  ClipList,
  ExplainAnswer,
  JobAnswer,
  ListedClip,
  MatchAnswer,
  PlantAnswer,
  SegmentBody,
  SpreadLabelAnswer,
} from "./schema";

export type { LabelCount, Lanes, MannequinAnswer, SearchAnswer } from "./schema";
export type Bank = BankAnswer;
export type Clip = ListedClip;
export type ClipPage = ClipList;
export type SegmentLabel = ClipLabel;
export type Plant = PlantAnswer;
export type Segment = SegmentBody;
export type Match = MatchAnswer;
export type Alignment = AlignmentAnswer;
export type Explanation = ExplainAnswer;
export type Job = JobAnswer;
export type SpreadLabel = SpreadLabelAnswer;
export type Side = "left" | "right" | "middle";

/** Fields of `info CLIP --json` that the schema leaves open. */
export interface ClipDetails extends ClipAnswer {
  source?: string;
  notes?: string[];
}

/** A line of the log, as `log --json` writes it. */
export interface Change {
  change: number;
  at: string;
  command: string;
  rows: number;
  undoes: number | null;
  undone_by: number | null;
  permanent: boolean;
}
