import { UTM_NAMES, type UtmName } from './names.ts';

/** The parameters that there are, by the names that they have in a URL. */
export function UtmFacts({ values }: { values: Record<UtmName, string | null> }) {
  return (
    <p class="muted small facts">
      {UTM_NAMES.filter((name) => values[name]).map((name) => (
        <span key={name}>
          <code>{`utm_${name}`}</code> <bdi>{values[name]}</bdi>
        </span>
      ))}
    </p>
  );
}
