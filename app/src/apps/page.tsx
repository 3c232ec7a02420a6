import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { hostsOf } from '../links/hosts.ts';
import { useTitle } from '../shell/title.ts';
import { useDialog } from '../ui/dialog.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { HostApps } from './hosts.tsx';
import { Keys, TYPE } from './keys.tsx';

const PAGE = graphql(`
  query AppsPage {
    ...LinkHosts
    publishableKeys {
      total
      page
      pageSize
      totalPages
      data {
        id
        name
        key
        hosts
        updatedAt
      }
    }
  }
`);

/** Which apps open links of the account's hosts, and the keys that apps ask with. */
export default function Apps() {
  const words = t.apps;
  useTitle(words.title);
  const loaded = useData(PAGE, {}, [TYPE, 'CustomDomain', 'SubdomainClaim']);
  const { dialog, open } = useDialog();
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
        {(data) => {
          const { domains, subdomain, publishableKeys } = data;
          const own = [...domains.data.map(({ domain }) => domain), ...(subdomain ? [subdomain.host] : [])];
          return (
            <>
              {own.length > 0 ? <HostApps hosts={own} /> : <EmptyState icon="globe" title={words.noHosts} hint={words.noHostsHint} />}
              <Keys page={publishableKeys} hosts={hostsOf(data)} open={open} />
            </>
          );
        }}
      </Panel>
      {dialog}
    </>
  );
}
