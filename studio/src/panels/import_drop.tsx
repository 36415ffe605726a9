/** Files that are dropped onto the page: imported, or searched with. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { postJson, request } from "../api/client";
import type { Job } from "../api/types";
import { resultOf } from "../state/jobs";
import { report } from "../state/notices";
import { go } from "../state/route";
import { count } from "../ui/format";

interface Upload {
  file_id: string;
  name: string;
}

interface Report {
  added?: { id: number; clip: string }[];
  copies?: { file: string; clip: string }[];
  known?: { file: string; clip: string }[];
  failed?: { file: string; error: string }[];
  warnings?: { clip: string; warning: string }[];
  spaces?: Record<string, number>;
}

const over = signal(false);
const uploaded = signal<readonly Upload[]>([]);
const sending = signal("");
const outcome = signal<Report | null>(null);

async function send(files: readonly File[]): Promise<void> {
  outcome.value = null;
  const done: Upload[] = [];
  try {
    for (const [i, file] of files.entries()) {
      sending.value = `Reading ${file.name} (${i + 1} of ${files.length})`;
      const headers = { "X-Filename": encodeURIComponent(file.name) };
      done.push((await (await request("POST", "/uploads", file, { headers })).json()) as Upload);
    }
    uploaded.value = done;
  } catch (error) {
    report(error);
  } finally {
    sending.value = "";
  }
}

async function importAll(): Promise<void> {
  sending.value = "Importing…";
  try {
    const job = await postJson<Job>("/import", { file_ids: uploaded.value.map((one) => one.file_id) });
    outcome.value = await resultOf<Report>(job);
  } catch (error) {
    report(error);
  } finally {
    sending.value = "";
    uploaded.value = [];
  }
}

export function ImportDrop() {
  useEffect(() => {
    let depth = 0;
    const has = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent): void => {
      if (!has(event)) return;
      depth++;
      over.value = true;
    };
    const leave = (): void => {
      depth = Math.max(0, depth - 1);
      over.value = depth > 0;
    };
    const drop = (event: DragEvent): void => {
      if (!has(event)) return;
      event.preventDefault();
      depth = 0;
      over.value = false;
      void send([...event.dataTransfer!.files]);
    };
    const keep = (event: DragEvent): void => {
      if (has(event)) event.preventDefault();
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", keep);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", keep);
      removeEventListener("drop", drop);
    };
  }, []);
  const shown = sending.value || uploaded.value.length || outcome.value;
  return (
    <>
      {over.value && <div class="drop">Drop motion files to import them or to search with them</div>}
      <label class="bare button" title="BVH, ASF and AMC files, or archives of them">
        Import…
        <input
          class="hidden-from-view"
          type="file"
          multiple
          aria-label="Import files"
          onChange={(event) => {
            void send([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {shown ? <Dialog /> : null}
    </>
  );
}

function close(): void {
  uploaded.value = [];
  outcome.value = null;
}

function Dialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const files = uploaded.value;
  const told = outcome.value;
  return (
    <dialog ref={dialog} onClose={close} aria-label="Import">
      <div class="column" style={{ minWidth: "26rem" }}>
        {sending.value && <p role="status">{sending.value}</p>}
        {!sending.value && files.length > 0 && (
          <>
            <h1>{count(files.length, "file")}</h1>
            <ul class="small faint">
              {files.slice(0, 8).map((file) => (
                <li key={file.file_id}>{file.name}</li>
              ))}
              {files.length > 8 && <li>and {files.length - 8} more</li>}
            </ul>
            <div class="row">
              <button class="chief" onClick={() => void importAll()}>
                Import into the bank
              </button>
              {files.length === 1 && (
                <button
                  onClick={() => {
                    const { file_id, name } = files[0]!;
                    close();
                    go(`/find?${new URLSearchParams({ file: file_id, query: name })}`);
                  }}
                >
                  Search with it
                </button>
              )}
              <button onClick={() => dialog.current?.close()}>Cancel</button>
            </div>
          </>
        )}
        {told && <Told report={told} close={() => dialog.current?.close()} />}
      </div>
    </dialog>
  );
}

function Told({ report: told, close: done }: { report: Report; close: () => void }) {
  return (
    <>
      <h1>{count(told.added?.length ?? 0, "clip")} imported</h1>
      {Object.keys(told.spaces ?? {}).length > 0 && (
        <p class="small">Read as {Object.entries(told.spaces!).map(([space, n]) => `${space} (${count(n, "file")})`).join("; ")}.</p>
      )}
      {[...(told.copies ?? []), ...(told.known ?? [])].map((one) => (
        <p key={one.file} class="small faint">
          {one.file} is in the bank already, as {one.clip}.
        </p>
      ))}
      {told.failed?.map((one) => (
        <p key={one.file} class="small" style={{ color: "var(--reject)" }}>
          {one.error}
        </p>
      ))}
      {told.warnings?.slice(0, 10).map((one) => (
        <p key={one.clip + one.warning} class="small">
          {one.clip}: {one.warning}
        </p>
      ))}
      <div class="row">
        {told.added?.length ? (
          <button
            class="chief"
            onClick={() => {
              done();
              go(`/clip/${told.added![0]!.id}`);
            }}
          >
            Open {told.added[0]!.clip}
          </button>
        ) : null}
        <button onClick={done}>Close</button>
      </div>
    </>
  );
}
