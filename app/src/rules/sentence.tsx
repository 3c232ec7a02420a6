// Rules as sentences.
import { Fragment } from 'preact';
import { formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readable, withScheme } from '../links/address.ts';
import { naming } from '../ui/naming.tsx';
import { type Condition, type Part, type Rule, sumOf } from './model.ts';
import { either, nameOf } from './names.ts';

/** A URL, or what stands for one that is not typed yet. */
export const Destination = ({ url }: { url: string }) => <bdi class="rule-url">{url.trim() === '' ? '…' : readable(withScheme(url))}</bdi>;

export function Parts({ parts }: { parts: Part[] }) {
  const sum = sumOf(parts);
  return (
    <>
      {parts.map(({ id, url, label, weight }, at) => (
        <Fragment key={id}>
          {at > 0 && (at === parts.length - 1 ? ` ${t.rules.and} ` : ', ')}
          {label.trim() === '' ? <Destination url={url} /> : <bdi>{label}</bdi>} ({formatShare(sum > 0 ? Number(weight) / sum : 0)})
        </Fragment>
      ))}
    </>
  );
}

/** What a condition says of the visitor. */
export function Clause({ condition: { kind, isNot, key, values, how } }: { condition: Condition }) {
  const words = t.rules.clauses;
  const names = kind === 'QUERY' && how === '' ? [] : values.map((value) => nameOf(kind, value));
  const say = ([own = '…', ...list]: string[]) =>
    kind === 'QUERY' && how === '' ? words.PARAMETER(!isNot, own) : words[kind](!isNot, list.length > 0 ? either(list) : '…', own);
  return <>{naming((...all) => say(all), key || '…', ...names)}</>;
}

export function Sentence({ rule: { conditions, url, parts } }: { rule: Rule }) {
  const words = t.rules.sentence;
  return (
    <>
      {words.start}{' '}
      {conditions.map((condition, at) => (
        <Fragment key={condition.id}>
          {at > 0 && ` ${t.rules.and} `}
          <Clause condition={condition} />
        </Fragment>
      ))}
      {', '}
      {parts.length > 0 ? words.divide : words.go} {parts.length > 0 ? <Parts parts={parts} /> : <Destination url={url} />}
    </>
  );
}
