/** Short notices over the page. */
import { dismiss, notices } from "../state/notices";

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.id} class={`notice fades ${notice.kind}`}>
          <span class="grow">{notice.text}</span>
          <button onClick={() => dismiss(notice.id)}>Close</button>
        </div>
      ))}
    </div>
  );
}
