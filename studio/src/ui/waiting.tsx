/** What is being done; after some seconds also why it may take long. */
export function Waiting({ children }: { children: string }) {
  return (
    <>
      <p class="faint">{children}</p>
      <p class="faint small late">The first time after an installation or update takes up to a minute: kernels are compiled.</p>
    </>
  );
}
