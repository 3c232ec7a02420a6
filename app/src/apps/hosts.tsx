// The apps that open links of a host by themselves.
import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { SetHostAppsInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { HostAppsQuery } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { Select } from '../ui/field.tsx';
import { Form, TextArea } from '../ui/form.tsx';
import { Panel } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';

const HOST_APPS = graphql(`
  query HostApps($host: String!) {
    hostApps(host: $host) {
      host
      iosApps {
        appId
        paths
      }
      androidApps {
        packageName
        fingerprints
      }
      appleFile
      androidFile
      updatedAt
    }
  }
`);

const SET_HOST_APPS = graphql(`
  mutation SetHostApps($host: String!, $input: SetHostAppsInput!) {
    setHostApps(host: $host, input: $input) {
      updatedAt
    }
  }
`);

type Apps = HostAppsQuery['hostApps'];

/** The path of an app that opens all links. */
const ALL = '/*';
const lines = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/).filter(Boolean)).filter((words) => words.length > 0);
const iosLine = ({ appId, paths }: Apps['iosApps'][number]) => [appId, ...(paths.length === 1 && paths[0] === ALL ? [] : paths)].join(' ');
const androidLine = ({ packageName, fingerprints }: Apps['androidApps'][number]) => [packageName, ...fingerprints].join(' ');

/** Violations at the field with the lines, with the first word of the line. */
function byLine(problem: Problem, of: Record<string, string[][]>): Problem {
  const violations = problem.violations.map(({ path, message }) => {
    const [field = '', place] = path.replace(/^input\./, '').split('.');
    const line = of[field]?.[Number(place)];
    return { path: field, message: line ? `${line[0]}: ${message}` : message };
  });
  return { ...problem, violations };
}

function AppsForm({ apps }: { apps: Apps }) {
  const words = t.apps;
  const version = useVersion(apps.updatedAt ?? undefined);
  async function store(values: FormData) {
    const text = (name: string) => String(values.get(name)).trim();
    const [ios, android] = [lines(text('iosApps')), lines(text('androidApps'))];
    const input = {
      iosApps: ios.map(([appId = '', ...paths]) => ({ appId, ...(paths.length > 0 && { paths }) })),
      androidApps: android.map(([packageName = '', ...fingerprints]) => ({ packageName, fingerprints })),
      appleFile: text('appleFile') || null,
      androidFile: text('androidFile') || null,
    };
    const { data, problem } = await mutate(SET_HOST_APPS, { host: apps.host, input: version.of(input) });
    if (problem) return version.told(byLine(problem, { iosApps: ios, androidApps: android }));
    version.now(data.setHostApps.updatedAt ?? '');
    say(words.saved(apps.host));
    return undefined;
  }
  const files = { isOptional: true, hint: words.fileHint, rows: 6 };
  return (
    <Form submit={words.save} onSubmit={store}>
      <TextArea name="iosApps" label={words.ios} hint={words.iosHint} value={apps.iosApps.map(iosLine).join('\n')} isOptional />
      <TextArea name="androidApps" label={words.android} hint={words.androidHint} value={apps.androidApps.map(androidLine).join('\n')} isOptional />
      <details class="more" open={apps.appleFile !== null || apps.androidFile !== null}>
        <summary>{words.files}</summary>
        <TextArea name="appleFile" label={words.appleFile} value={apps.appleFile ?? ''} rule={SetHostAppsInput.appleFile} {...files} />
        <TextArea name="androidFile" label={words.androidFile} value={apps.androidFile ?? ''} rule={SetHostAppsInput.androidFile} {...files} />
      </details>
    </Form>
  );
}

function Shown({ apps }: { apps: Apps }) {
  const all = [...apps.iosApps.map(iosLine), ...apps.androidApps.map(androidLine), apps.appleFile, apps.androidFile];
  return (
    <ul>
      {all.filter((text) => text !== null).map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

function OfHost({ host }: { host: string }) {
  const loaded = useData(HOST_APPS, { host });
  return (
    <Panel loaded={loaded}>{({ hostApps }) => (may('DOMAINS_MANAGE') ? <AppsForm apps={hostApps} /> : <Shown apps={hostApps} />)}</Panel>
  );
}

/** The apps of one of these hosts, of which there is one at least. */
export function HostApps({ hosts }: { hosts: string[] }) {
  const [host, setHost] = useState(hosts[0]!);
  return (
    <>
      <Select name="host" label={t.apps.host} value={host} onChange={setHost} options={hosts.map((value) => ({ value, label: value }))} />
      <OfHost key={host} host={host} />
    </>
  );
}
