// The UTM parameters of a destination in the form of a link.
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import UtmFields, { type FieldsProps } from './fields.tsx';
import { UTM_NAMES, type UtmName, type UtmValues } from './names.ts';
import { utmIn, withUtm } from './url.ts';

export const TEMPLATE_FIELDS = graphql(`
  fragment UtmTemplateFields on UtmTemplate {
    id
    name
    source
    medium
    campaign
    term
    content
  }
`);

export interface Utm {
  /** The values of the fields: the typed ones, or else those of the destination. */
  values: Record<UtmName, string>;
  type(typed: UtmValues): void;
  reset(): void;
  /** The values typed in place of the destination's. Null: nothing was typed. */
  change: UtmValues | null;
  /** The destination as it will be. */
  url: string;
}

export function useUtm(destination: string): Utm {
  const [typed, setTyped] = useState<UtmValues>({});
  const found = utmIn(destination);
  const changed = UTM_NAMES.flatMap((name) => {
    const text = typed[name]?.trim();
    return text === undefined || text === found[name] ? [] : [[name, text] as const];
  });
  const change = changed.length > 0 ? (Object.fromEntries(changed) as UtmValues) : null;
  return {
    values: { ...found, ...typed },
    type: (more) => setTyped((before) => ({ ...before, ...more })),
    reset: () => setTyped({}),
    change,
    url: withUtm(destination, change ?? {}),
  };
}

export function UtmSection({ isOpenFirst = false, ...props }: FieldsProps & { isOpenFirst?: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details class="more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.links.utm}</summary>
      {isOpen && <UtmFields {...props} />}
    </details>
  );
}
