import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { Select } from '../ui/field.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { PagesForm } from './form.tsx';
import { Preview } from './preview.tsx';

const PAGE = graphql(`
  query VisitorPages {
    ...LinkHosts
  }
`);

const HOST_PAGES = graphql(`
  query HostPages($host: String!) {
    hostPages(host: $host) {
      host
      accentColor
      backgroundColor
      logoImageId
      logoUrl
      texts {
        page
        language
        title
        text
      }
      updatedAt
    }
  }
`);

function OfHost({ host }: { host: string }) {
  const loaded = useData(HOST_PAGES, { host });
  return (
    <Panel loaded={loaded}>
      {({ hostPages }) => (may('DOMAINS_MANAGE') ? <PagesForm pages={hostPages} /> : <Preview look={hostPages} text={hostPages.texts[0]} />)}
    </Panel>
  );
}

function Hosts({ hosts }: { hosts: string[] }) {
  const [host, setHost] = useState(hosts[0]!);
  return (
    <>
      <Select name="host" label={t.visitors.host} value={host} onChange={setHost} options={hosts.map((value) => ({ value, label: value }))} />
      <OfHost key={host} host={host} />
    </>
  );
}

/** The look and the texts of the pages that visitors see on the account's hosts. */
export default function VisitorPages() {
  const words = t.visitors;
  useTitle(words.title);
  const loaded = useData(PAGE, {}, ['CustomDomain', 'SubdomainClaim']);
  return (
    <>
      <header class="page-head">
        <a class="crumb" href="/app/domains">
          {t.domains.title}
        </a>
        <h1 tabIndex={-1}>{words.title}</h1>
      </header>
      <p class="muted">{words.lead}</p>
      <Panel loaded={loaded}>
        {({ domains, subdomain }) => {
          const own = [...domains.data.map(({ domain }) => domain), ...(subdomain ? [subdomain.host] : [])];
          return own.length > 0 ? <Hosts hosts={own} /> : <EmptyState icon="globe" title={words.noHosts} hint={words.noHostsHint} />;
        }}
      </Panel>
    </>
  );
}
