import type { RuleWarningReason } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';

/** Why a rule, or one of its conditions, does not do what it seems to. */
export const Warnings = ({ reasons }: { reasons: RuleWarningReason[] }) => (
  <>
    {[...new Set(reasons)].map((reason) => (
      <p key={reason} class="rule-warning">
        <Icon name="alert" />
        {t.rules.warnings[reason]}
      </p>
    ))}
  </>
);
