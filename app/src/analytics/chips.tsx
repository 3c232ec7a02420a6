import { type ComponentChildren, Fragment } from 'preact';
import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import type { Dimension, Operator } from './conditions.ts';

interface Chip {
  dimension: Dimension;
  operator: Operator;
  /** The alternatives as they are read. */
  values: ComponentChildren[];
  /** The address of the page with the condition turned round, and without it. */
  turned: string;
  without: string;
}

interface ChipsProps {
  chips: Chip[];
  /** False: clicks are missing of which only sums are left. Undefined: not known yet. */
  isExact?: boolean;
}

/** The conditions on clicks, each of which can be turned round and removed. */
export function Chips({ chips, isExact }: ChipsProps) {
  const words = t.reportForms;
  return (
    <>
      <ul class="filter-chips" tabIndex={-1} aria-label={words.conditions}>
        {chips.map(({ dimension, operator, values, turned, without }, at) => (
          // By place, so that the focus stays in one that is turned round.
          <li key={at} class="chip">
            {words.dimensions[dimension]}
            {operator === 'CONTAINS' ? (
              ` ${words.operators[operator]} `
            ) : (
              <a class="button quiet" href={turned} title={words.turn}>
                {words.operators[operator]}
              </a>
            )}
            <span>
              {values.map((value, index) => (
                <Fragment key={index}>
                  {index > 0 && ` ${words.or} `}
                  <bdi>{value}</bdi>
                </Fragment>
              ))}
            </span>
            <LinkButton kind="quiet" icon="close" label={words.without(words.dimensions[dimension])} href={without} />
          </li>
        ))}
      </ul>
      {isExact === false && (
        <p class="muted small" role="status">
          {words.notExact}
        </p>
      )}
    </>
  );
}
