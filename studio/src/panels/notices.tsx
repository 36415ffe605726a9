/** Short notices over the page. */
import { done, undo } from "../commands/history";
import { dismiss, notices } from "../state/notices";

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.id} class={`notice fades ${notice.kind}`}>
          <span class="grow">{notice.text}</span>
          {notice.change !== undefined && notice.change === done.value.at(-1)?.change && (
            <button
              onClick={() => {
                dismiss(notice.id);
                void undo();
              }}
            >
              Undo
            </button>
          )}
          <button onClick={() => dismiss(notice.id)}>Close</button>
        </div>
      ))}
    </div>
  );
}
