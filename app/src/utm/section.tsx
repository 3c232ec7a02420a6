// The UTM parameters of a destination in the form of a link.
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Fold } from '../ui/fold.tsx';
import type { FieldsProps } from './fields.tsx';

const UtmFields = onDemand(() => import('./fields.tsx'), (fields) => fields.default);

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

export const UtmSection = ({ isOpenFirst, ...props }: FieldsProps & { isOpenFirst?: boolean }) => (
  <Fold label={t.links.utm} isOpenFirst={isOpenFirst} content={(close) => <UtmFields {...props} onClose={close} />} />
);
