/** All panels: where each is, and when. A panel is one file; a new one is a new line here. */
import type { ComponentType } from "preact";

import type { Route } from "../state/route";

export interface Panel {
  id: string;
  title: string;
  place: "centre" | "right" | "foot" | "bottom"; // right above foot: what comes and goes above, what is always there below
  shown: (route: Route) => boolean;
  load: () => Promise<{ default: ComponentType }>;
  address?: string; // where the navigation leads; without it, the panel is not listed there
}

const at =
  (...views: string[]) =>
  (route: Route): boolean =>
    views.includes(route.view);

const inWeb = (route: Route): boolean => route.view === "find" && route.query.get("by") === "web";

export const PANELS: readonly Panel[] = [
  { id: "start", title: "Start", place: "centre", shown: at(""), load: () => import("./start") },
  { id: "stage", title: "Stage", place: "centre", shown: at("clip"), load: () => import("./stage") },
  { id: "labels", title: "Label", place: "right", shown: at("clip"), load: () => import("./labels") },
  { id: "clip", title: "Clip", place: "right", shown: at("clip"), load: () => import("./clip_facts") },
  { id: "timeline", title: "Timeline", place: "bottom", shown: at("clip"), load: () => import("./timeline") },
  { id: "matches", title: "Find", place: "centre", shown: at("find"), load: () => import("./matches"), address: "/find" },
  { id: "query", title: "Search", place: "right", shown: at("find"), load: () => import("./query_options") },
  { id: "why", title: "Why", place: "right", shown: at("find"), load: () => import("./why") },
  { id: "match-labels", title: "Label", place: "right", shown: at("find"), load: () => import("./labels") },
  { id: "match-timeline", title: "Clock", place: "bottom", shown: (route) => route.view === "find" && !inWeb(route), load: () => import("./match_timeline") },
  { id: "match-graph", title: "Match graph", place: "bottom", shown: inWeb, load: () => import("./match_graph") },
  { id: "motifs", title: "Motifs", place: "centre", shown: at("motifs"), load: () => import("./motifs"), address: "/motifs" },
  { id: "surprises", title: "Surprises", place: "centre", shown: at("surprises"), load: () => import("./surprises"), address: "/surprises" },
  { id: "space", title: "Space", place: "centre", shown: at("space"), load: () => import("./space"), address: "/space" },
  { id: "selections", title: "Selections", place: "centre", shown: at("selection", "selections"), load: () => import("./selections"), address: "/selection" },
  { id: "review", title: "Review", place: "centre", shown: at("review"), load: () => import("./review"), address: "/review" },
  { id: "review-options", title: "Spread", place: "right", shown: at("review"), load: () => import("./review_options") },
  { id: "parametric", title: "Blend", place: "centre", shown: at("parametric", "blend"), load: () => import("./parametric"), address: "/parametric" },
  { id: "parametric-options", title: "Target", place: "right", shown: at("parametric"), load: () => import("./parametric_options") },
  { id: "transition", title: "Transition", place: "centre", shown: (route) => route.view === "transition" && !route.name, load: () => import("./transition"), address: "/transition" },
  { id: "transition-options", title: "Transition", place: "right", shown: (route) => route.view === "transition" && !route.name, load: () => import("./transition_options") },
  { id: "judge", title: "Judge", place: "centre", shown: (route) => route.view === "transition" && route.name === "judge", load: () => import("./judge"), address: "/transition/judge" },
  { id: "graph", title: "Graph", place: "centre", shown: at("graph"), load: () => import("./graph"), address: "/graph" },
  { id: "graph-options", title: "Graph", place: "right", shown: at("graph"), load: () => import("./graph_options") },
  { id: "clean", title: "Feet", place: "centre", shown: at("feet"), load: () => import("./clean") },
  { id: "edit-parameters", title: "Parameters", place: "right", shown: at("edit"), load: () => import("./edit_parameters") },
  { id: "edit", title: "Edit", place: "centre", shown: at("edit"), load: () => import("./edit") },
  { id: "log", title: "Log", place: "centre", shown: at("log"), load: () => import("./log"), address: "/log" },
  { id: "jobs", title: "Jobs", place: "foot", shown: () => true, load: () => import("./jobs") },
  { id: "basket", title: "Basket", place: "foot", shown: () => true, load: () => import("./basket") },
];
