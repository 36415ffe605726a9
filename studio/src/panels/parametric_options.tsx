/** The parameters of a parametric motion, as sliders: asked for, and what the blend got. */
import { answer, change, open, parameters, values } from "../state/parametric";

export default function ParametricOptions() {
  const got = Object.values(answer.value?.facts.got ?? {});
  if (!open.value) return null;
  return (
    <section class="section" aria-label="Target">
      <h2>Target of {open.value.parametric}</h2>
      {parameters().map((one, i) => (
        <label key={one.name} class="column tight small">
          <span class="row number">
            <span class="grow clipped">{one.name}</span>
            <span>
              {values.value[i]?.toFixed(2)} {one.unit}
            </span>
          </span>
          <input
            type="range"
            aria-label={one.name}
            min={one.least}
            max={one.greatest}
            step="any"
            value={values.value[i] ?? 0}
            onInput={(event) => change(values.value.map((value, j) => (j === i ? Number(event.currentTarget.value) : value)), true)}
            onChange={() => change(values.value, false)}
          />
          <span class="faint number">{got[i] === undefined ? "…" : `got ${got[i].toFixed(2)} ${one.unit}`}</span>
        </label>
      ))}
      {answer.value?.facts.projected && <p class="small">The target is out of reach: this is the nearest point of what can be reached.</p>}
    </section>
  );
}
