import { may } from '../session/role.ts';
import { escaped } from '../ui/address.ts';
import { UTM_NAMES, type UtmName } from './names.ts';

/** The parameters that there are, by the names that they have in a URL. That of a campaign leads to all of its clicks. */
export function UtmFacts({ values }: { values: Record<UtmName, string | null> }) {
  const shown = (name: UtmName, value: string) =>
    name === 'campaign' && may('ANALYTICS_READ') ? (
      <a href={`/app?${new URLSearchParams({ utm_campaign: escaped(value) })}`} dir="auto">
        {value}
      </a>
    ) : (
      <bdi>{value}</bdi>
    );
  return (
    <p class="muted small facts">
      {UTM_NAMES.map((name) => {
        const value = values[name];
        return (
          value && (
            <span key={name}>
              <code>{`utm_${name}`}</code> {shown(name, value)}
            </span>
          )
        );
      })}
    </p>
  );
}
