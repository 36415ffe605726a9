/** The match graph of a search in a web: columns are steps, costs are on edges; a click plays the chain. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { postJson } from "../api/client";
import type { GraphAnswer, GraphNode } from "../api/schema";
import { heatColour } from "../draw/palette";
import { redraw } from "../draw/loop";
import { choose, found, notInSearch, opened, result } from "../state/find";
import { report } from "../state/notices";
import { setQuery } from "../state/route";
import { segmentName } from "../ui/format";

const graph = signal<GraphAnswer | null>(null);
const chosen = signal<number | null>(null);

export default function MatchGraph() {
  useSignalEffect(() => {
    const name = result.value;
    if (!name || found.peek()[0]?.method !== "web") {
      graph.value = null;
      return;
    }
    postJson<GraphAnswer>("/webs/graph", { result: name, most: 40 }).then(
      (answer) => {
        graph.value = answer;
        chosen.value = null;
      },
      (error: unknown) => {
        graph.value = null;
        report(error);
      },
    );
  });
  const page = useRef<HTMLDivElement>(null);
  const told = graph.value;
  useEffect(() => {
    // The query is in the middle of its column, which may be high
    if (page.current) page.current.scrollTop = (page.current.scrollHeight - page.current.clientHeight) / 2;
  }, [told]);
  if (!told) return <div class="page faint small">{result.value && !found.value.length ? "There is no match to draw a graph of." : "The match graph appears here."}</div>;
  const tiers = Math.max(1, ...told.nodes.map((node) => node.tier));
  const columns = Array.from({ length: tiers + 1 }, (_, tier) => told.nodes.filter((node) => node.tier === tier));
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const [across, down] = [190, 26];
  const place = (node: GraphNode): [number, number] => {
    const column = columns[node.tier]!;
    return [node.tier * across + 10, (column.indexOf(node) + 0.5 + (tallest - column.length) / 2) * down];
  };
  const [width, height] = [(tiers + 1) * across, tallest * down + 8];
  const byNumber = new Map(told.nodes.map((node) => [node.node, node]));
  const chain = chainTo(chosen.value, byNumber);
  const most = Math.max(1e-6, ...told.edges.map((edge) => edge.cost_cm));
  return (
    <div ref={page} class="page" style={{ height: "100%", padding: 0 }} data-testid="match-graph">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: `${width / 13}rem`, height: `${height / 13}rem` }} // as large as the text of the page
        role="group"
        aria-label="Match graph"
      >
        {told.edges.map((edge) => {
          const [a, b] = edge.nodes.map((node) => byNumber.get(node));
          if (!a || !b) return null;
          const [p, q] = a.tier <= b.tier ? [a, b] : [b, a];
          const [[x, y], [u, v]] = [place(p), place(q)];
          const on = chain.has(p.node) && chain.has(q.node);
          return (
            <g key={edge.nodes.join(" ")}>
              <path
                d={`M${x + 130} ${y} C${x + 160} ${y} ${u - 30} ${v} ${u} ${v}`}
                fill="none"
                stroke={on ? "var(--mark)" : heatColour(0.25 + (0.75 * edge.cost_cm) / most)}
                stroke-width={on ? 3 : 1.2}
                opacity={chain.size && !on ? 0.25 : 0.9}
              />
              {on && (
                <text x={(x + 130 + u) / 2} y={(y + v) / 2 - 3} text-anchor="middle" font-size="11" fill="currentColor">
                  {edge.cost_cm.toFixed(1)} cm
                </text>
              )}
            </g>
          );
        })}
        {told.nodes.map((node) => {
          const [x, y] = place(node);
          return (
            <g
              key={node.node}
              transform={`translate(${x} ${y - 10})`}
              role="button"
              tabindex={0} // as it is written in SVG; in another case it is none
              aria-label={`${node.clip} ${node.start} to ${node.stop}, step ${node.tier}`}
              style={{ cursor: "pointer" }}
              onClick={() => play(node)}
              onKeyDown={(event) => {
                if (event.key === "Enter") play(node);
                if (event.key.toLowerCase() === "x") reject(node);
                if (["Enter", "x", "X"].includes(event.key)) event.stopPropagation();
              }}
              opacity={node.rejected || (chain.size && !chain.has(node.node)) ? 0.45 : 1}
            >
              <rect width="130" height="20" rx="4" fill={node.tier ? "var(--paper)" : "var(--accent-soft)"} stroke={chain.has(node.node) ? "var(--mark)" : "var(--line)"} />
              <text x="6" y="14" font-size="11" fill="currentColor" text-decoration={node.rejected ? "line-through" : "none"}>
                {(node.tier ? node.clip : "query").slice(0, 14)}
              </text>
              <text x="124" y="14" font-size="10" fill="currentColor" text-anchor="end" opacity="0.7">
                {node.distance_cm.toFixed(0)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** The nodes from the query to this one. */
function chainTo(node: number | null, nodes: ReadonlyMap<number, GraphNode>): ReadonlySet<number> {
  const chain = new Set<number>();
  for (let at = node; at !== null && nodes.has(at) && !chain.has(at); ) {
    chain.add(at);
    const { before } = nodes.get(at)!;
    at = before >= 0 ? before : null;
  }
  return chain;
}

function play(node: GraphNode): void {
  chosen.value = node.node;
  const index = found.peek().findIndex((match) => match.clip_id === node.clip_id && match.start === node.start && match.stop === node.stop);
  if (index < 0) return;
  choose(index);
  opened.value = true;
  redraw();
}

/** Ask again without this match, and without what only it leads to. */
function reject(node: GraphNode): void {
  if (node.clip_id === null || !node.tier) return;
  const name = segmentName({ clip_id: node.clip_id, start: node.start, stop: node.stop });
  setQuery({ reject: [...notInSearch(), name].join(",") });
}
