import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Select } from '../ui/field.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { stored } from '../ui/stored.ts';
import { causeOf, type DnsRecord, type Domain, isRouted, type RecordState, stateOf } from './diagnosis.ts';
import { type Provider, PROVIDERS } from './providers.ts';
import { likelyZone, within, zonesOf } from './zone.ts';

const chosen = stored<string>('dns-provider', 'other');

const LOOKS: Record<RecordState, { tone: string; icon: IconName }> = {
  set: { tone: 'good', icon: 'check' },
  missing: { tone: 'warning', icon: 'search' },
  wrong: { tone: 'danger', icon: 'alert' },
  unclear: { tone: 'warning', icon: 'offline' },
  waiting: { tone: '', icon: 'info' },
};

const labelOf = ({ id, name }: Provider): string =>
  name ?? (id === 'other' ? t.domains.records.other : t.domains.records.zoneFile);

/** The service's words about a look-up, in the language of the page where it is known. */
function problemText(problem: string): string {
  const told = problem.replaceAll("'", '’');
  return t.domains.problems[told] ?? told;
}

interface TextProps {
  label: string;
  text: string;
  copy: string;
}

function Copied({ label, text, copy }: TextProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{text || t.domains.records.apexEmpty}</code>
        {text && <CopyButton text={text} label={copy} />}
      </dd>
    </div>
  );
}

function Finding({ record, domain, zone }: { record: DnsRecord; domain: Domain; zone: string }) {
  const state = stateOf(record, domain);
  if (state === 'waiting' || (state === 'set' && !record.problem)) return null;
  const words = t.domains.causes;
  const cause = causeOf(record, domain);
  const doubled = `${record.name}.${zone}`;
  const why =
    cause === 'missing' ? (record.type === 'TXT' ? words.missing(doubled) : words.missingPlain) : words[cause];
  return (
    <div class={`finding ${LOOKS[state].tone}`}>
      {record.found.length > 0 && (
        <dl>
          <div>
            <dt>{record.isSet ? t.domains.records.foundToo : t.domains.records.found}</dt>
            <dd>
              {record.found.map((each) => (
                <code key={each}>{each}</code>
              ))}
            </dd>
          </div>
          <div>
            <dt>{t.domains.records.wanted}</dt>
            <dd>
              <code>{record.value}</code>
            </dd>
          </div>
        </dl>
      )}
      <p>{record.problem ? problemText(record.problem) : why}</p>
    </div>
  );
}

interface RecordProps {
  record: DnsRecord;
  domain: Domain;
  zone: string;
  provider: Provider;
}

function Record({ record, domain, zone, provider }: RecordProps) {
  const { type, name, value } = record;
  const words = t.domains.records;
  const state = stateOf(record, domain);
  const { tone, icon } = LOOKS[state];
  const inZone = within(name, zone, provider.apex);
  const inFull = provider.id === 'zone-file' ? `${name}.` : name;
  const hasDot = provider.hasDot && type === 'CNAME';
  const isQuoted = provider.isQuoted && type === 'TXT';
  const notes = [
    provider.id === 'cloudflare' && type !== 'TXT' && t.domains.notes.cloudflare,
    hasDot && t.domains.notes.dot,
    isQuoted && t.domains.notes.quotes,
  ].filter(Boolean);
  return (
    <div class="record">
      <div class="record-head">
        <strong>
          <span class="hidden">{words.type} </span>
          {type}
        </strong>
        <span class={`chip ${tone}`}>
          <Icon name={icon} />
          {words[state]}
        </span>
      </div>
      <dl>
        <Copied label={words.name} text={provider.isFull ? inFull : inZone} copy={words.copyName(type)} />
        {!provider.isFull && <Copied label={words.inFull} text={inFull} copy={words.copyFull(type)} />}
        <Copied
          label={words.value}
          text={hasDot ? `${value}.` : isQuoted ? `"${value}"` : value}
          copy={words.copyValue(type)}
        />
      </dl>
      {notes.length > 0 && state !== 'set' && <p class="muted small">{notes.join(' ')}</p>}
      <Finding record={record} domain={domain} zone={zone} />
    </div>
  );
}

/** The records to enter at the DNS provider, in the terms of its form, and those found by the last check. */
export function Records({ domain }: { domain: Domain }) {
  const words = t.domains.records;
  const [zone, setZone] = useState(() => likelyZone(domain.domain));
  const provider = PROVIDERS.find(({ id }) => id === chosen.value) ?? PROVIDERS[0]!;
  const zones = zonesOf(domain.domain);
  const proof = domain.dnsRecords.filter(({ type }) => type === 'TXT');
  const alias = domain.dnsRecords.filter(({ type }) => type === 'CNAME');
  const addresses = domain.dnsRecords.filter(({ type }) => type === 'A' || type === 'AAAA');
  const isApex = domain.domain === zone;
  const isByAddress = alias.length === 0 || (isRouted(domain) && !alias[0]?.isSet) || (isApex && !alias[0]?.isSet);
  const show = (records: DnsRecord[]) =>
    records.map((record) => (
      <Record key={record.type + record.value} record={record} domain={domain} zone={zone} provider={provider} />
    ));
  const listed = addresses.length > 0 ? show(addresses) : <p class="muted">{words.noAddresses}</p>;
  return (
    <section class="card records">
      <header>
        <h2>{words.title}</h2>
        <div class="records-at">
          <Select
            label={words.provider}
            value={provider.id}
            onChange={(id) => (chosen.value = id)}
            options={PROVIDERS.map((each) => ({ value: each.id, label: labelOf(each) }))}
          />
          {zones.length > 1 && (
            <Select label={words.zone} value={zone} onChange={setZone} options={zones.map((value) => ({ value, label: value }))} />
          )}
        </div>
      </header>
      <ol>
        <li>
          <h3>{words.prove}</h3>
          {show(proof)}
        </li>
        <li>
          <h3>{words.lead}</h3>
          {isByAddress ? (
            <>
              {isApex && alias.length > 0 && <p class="muted small">{words.apex}</p>}
              {listed}
            </>
          ) : (
            <>
              {show(alias)}
              {!alias[0]?.isSet && (
                <details>
                  <summary>{words.noCname}</summary>
                  {listed}
                </details>
              )}
            </>
          )}
        </li>
      </ol>
    </section>
  );
}
