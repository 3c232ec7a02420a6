// The settings of a host, as facts and as a form that changes them.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { HostFactsFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { readable } from '../links/address.ts';
import { onDemand } from '../shell/lazy.tsx';
import { TagChips } from '../tags/chips.tsx';
import { Button } from '../ui/button.tsx';
import type { UpdateHost } from './form.tsx';

export const HOST_FACTS = graphql(`
  fragment HostFacts on HostSettings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
`);

const SettingsDialog = onDemand(() => import('./form.tsx'), (form) => form.default);

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Where visitors are sent, or what they get instead. */
function UrlFact({ label, url, otherwise }: { label: string; url: string | null; otherwise: string }) {
  return (
    <Fact label={label}>
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {readable(url)}
        </a>
      ) : (
        <span class="muted">{otherwise}</span>
      )}
    </Fact>
  );
}

interface SettingsProps {
  host: string;
  settings: HostFactsFragment;
  /** Of the host. */
  updatedAt: string;
  update: UpdateHost;
}

export function Settings({ host, settings, updatedAt, update }: SettingsProps) {
  const [isAsked, setAsked] = useState(false);
  const id = useId();
  const its = t.hosts;
  const { rootUrl, notFoundUrl, expiredUrl, faviconUrl, robotsText, securityContact, ignoresCase, forwardsQuery, defaultTags } = settings;
  return (
    <section class="host-settings" aria-labelledby={id}>
      <header>
        <h2 id={id}>{its.title}</h2>
        <Button icon="edit" needs="DOMAINS_MANAGE" label={its.change(host)} onClick={() => setAsked(true)}>
          {t.action.edit}
        </Button>
      </header>
      <dl class="settings-facts">
        <UrlFact label={its.rootUrl} url={rootUrl} otherwise={its.noRoot} />
        <UrlFact label={its.notFoundUrl} url={notFoundUrl} otherwise={its.noUrl('404')} />
        <UrlFact label={its.expiredUrl} url={expiredUrl} otherwise={its.noUrl('410')} />
        <UrlFact label={its.faviconUrl} url={faviconUrl} otherwise={its.noIcon} />
        <Fact label={its.securityContact}>{securityContact ? <bdi>{securityContact}</bdi> : its.noContact}</Fact>
        <Fact label={its.robotsText}>{robotsText ? its.ownRobots : its.noRobots}</Fact>
        <Fact label={its.ignoresCase}>{ignoresCase ? its.ignored : its.distinct}</Fact>
        <Fact label={its.forwardsQuery}>{forwardsQuery ? its.forwarded : its.notForwarded}</Fact>
        <Fact label={its.defaultTags}>
          {defaultTags.length > 0 ? <TagChips tags={defaultTags} /> : <span class="muted">{its.noTags}</span>}
        </Fact>
      </dl>
      {isAsked && <SettingsDialog {...{ host, settings, updatedAt, update }} onClose={() => setAsked(false)} />}
    </section>
  );
}
