// The UTM parameters of a destination in the form of a link.
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import UtmFields, { type FieldsProps } from './fields.tsx';

export const TEMPLATE_FIELDS = graphql(`
  fragment UtmTemplateFields on UtmTemplate {
    id
    name
    source
    medium
    campaign
    term
    content
    updatedAt
  }
`);

export function UtmSection({ isOpenFirst = false, ...props }: FieldsProps & { isOpenFirst?: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details class="more" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.links.utm}</summary>
      {isOpen && <UtmFields {...props} />}
    </details>
  );
}
