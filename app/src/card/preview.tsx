// What messengers make of a card. Their looks change; what they have in common does not: image, title, description, host.
import type { LinkCardInput } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';

const APPS = ['Slack', 'X', 'iMessage'];

export function Previews({ card: { title, description, imageUrl }, host }: { card: LinkCardInput; host: string }) {
  const isShown = imageUrl && (/^https:\/\/./.test(imageUrl) || imageUrl.startsWith(`${location.origin}/`));
  const image = isShown && <img src={imageUrl} alt="" loading="lazy" referrerpolicy="no-referrer" />;
  return (
    <div class="card-previews">
      {APPS.map((app) => (
        <figure key={app}>
          <figcaption class="muted small">{app}</figcaption>
          <div class={`card-preview card-${app.toLowerCase()}`}>
            {image}
            <div class="card-texts">
              <span class="card-host" dir="ltr">
                {host}
              </span>
              <strong dir="auto">{title || t.card.noTitle}</strong>
              {app !== 'iMessage' && description && <span dir="auto">{description}</span>}
            </div>
          </div>
        </figure>
      ))}
    </div>
  );
}
