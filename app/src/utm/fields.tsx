import { useState } from 'preact/hooks';
import { UtmInput } from '../api/generated/constraints.ts';
import type { UtmTemplateFieldsFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { isUrl } from '../links/address.ts';
import { Select } from '../ui/field.tsx';
import { Field } from '../ui/form.tsx';
import { UTM_NAMES, type UtmValues } from './names.ts';
import type { Utm } from './typed.ts';

/** The values of a template. */
const valuesOf = (template: UtmTemplateFieldsFragment): UtmValues =>
  Object.fromEntries(UTM_NAMES.flatMap((name) => (template[name] === null ? [] : [[name, template[name]]])));

export interface FieldsProps {
  utm: Utm;
  templates: UtmTemplateFieldsFragment[];
  /** A hint in place of the usual one. */
  hint?: string;
  onClose?(): void;
}

export default function UtmFields({ utm: { values, type, url }, templates, hint }: FieldsProps) {
  const [chosen, setChosen] = useState('');
  const its = t.utm;
  function choose(id: string) {
    setChosen(id);
    const template = templates.find((each) => each.id === id);
    if (template) type(valuesOf(template));
  }
  return (
    <>
      <p class="muted small">{hint ?? its.hint}</p>
      {templates.length > 0 && (
        <Select
          label={its.template}
          value={chosen}
          onChange={choose}
          options={[{ value: '', label: its.noTemplate }, ...templates.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <div class="field-row">
        {UTM_NAMES.map((name) => (
          <Field
            // Values of a template are in the fields as if the form had opened with them.
            key={`${name} ${chosen}`}
            name={`utm.${name}`}
            label={its.names[name]}
            value={values[name]}
            hint={its.hints[name]}
            rule={UtmInput[name]}
            onInput={(text) => type({ [name]: text })}
          />
        ))}
      </div>
      <p class="small">
        <a href="/app/links/utm" target="_blank">
          {its.templates}
        </a>
      </p>
      {isUrl(url) && (
        <div class="preview">
          <p class="muted small">{its.preview}</p>
          <output>{url}</output>
        </div>
      )}
    </>
  );
}
