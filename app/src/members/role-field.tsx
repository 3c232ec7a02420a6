import { useState } from 'preact/hooks';
import type { Role } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { role as own } from '../session/role.ts';
import { Select } from '../ui/field.tsx';

const ROLES: Role[] = ['VIEWER', 'MEMBER', 'BILLING', 'ADMIN', 'OWNER'];

/** Chooses a role, and says what it means. Only owners make owners. */
export function RoleField({ value }: { value: Role }) {
  const words = t.members.roles;
  const [chosen, setChosen] = useState(value);
  const options = ROLES.filter((each) => each !== 'OWNER' || own.value === 'OWNER');
  return (
    <Select
      name="role"
      label={t.members.role}
      hint={words[chosen].hint}
      value={chosen}
      options={options.map((each) => ({ value: each, label: words[each].name }))}
      onChange={setChosen}
    />
  );
}
