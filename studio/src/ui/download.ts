/** Files that the server makes, as downloads of the browser. */
import { request } from "../api/client";
import type { Segment } from "../api/types";
import { notify, report } from "../state/notices";

export async function exportSegments(segments: readonly Segment[], format: "bvh" | "glb"): Promise<void> {
  try {
    const plain = segments.map(({ clip_id, start, stop, mirrored }) => ({ clip_id, start, stop, mirrored: mirrored ?? false }));
    const answer = await request("POST", "/export", { segments: plain, format });
    const named = /filename\*?=(?:utf-8'')?"?([^";]+)"?/i.exec(answer.headers.get("Content-Disposition") ?? "");
    const address = URL.createObjectURL(await answer.blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = named ? decodeURIComponent(named[1]!) : `motions.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    notify(`Exported ${link.download}`);
  } catch (error) {
    report(error);
  }
}
