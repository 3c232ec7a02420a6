import { type ComponentChildren, Fragment } from 'preact';
import type { Condition } from '../analytics/conditions.ts';
import { READ, unknownOf } from '../analytics/values.ts';
import { t } from '../i18n/index.ts';

interface ConditionProps {
  /** One on links without values: they are all deleted. */
  condition: Condition;
  /** How its values are read, if not as everywhere. */
  read?: (value: string) => ComponentChildren;
}

/** A condition on clicks as a sentence. */
export function ConditionWords({ condition: { dimension, operator, values }, read }: ConditionProps) {
  const { dimensions, operators, or } = t.reportForms;
  const shown = read ?? READ[dimension] ?? String;
  return (
    <span>
      {/* Programs may ask for what has no word. */}
      {(dimensions as Partial<typeof dimensions>)[dimension] ?? dimension} {operators[operator]}{' '}
      {values.length === 0 && t.analytics.deleted}
      {values.map((value, at) => (
        <Fragment key={at}>
          {at > 0 && ` ${or} `}
          <bdi>{value === null ? unknownOf(dimension) : shown(value)}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
