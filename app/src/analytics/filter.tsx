import { ClickCondition } from '../api/generated/constraints.ts';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form } from '../ui/form.tsx';
import type { Condition, Dimension, Operator } from './conditions.ts';

/** Dimensions whose values people write. */
const WRITTEN = ['source', 'referrer', 'city', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'tag', 'domain', 'browser', 'os'] as const satisfies Dimension[];
const OPERATORS = ['CONTAINS', 'IS', 'IS_NOT'] as const satisfies Operator[];

interface FilterProps {
  add(condition: Condition): void;
  onClose(): void;
}

/** Asks for a condition whose value is typed. */
export function FilterDialog({ add, onClose }: FilterProps) {
  const words = t.reportForms;
  async function show(values: FormData) {
    const given = (name: string) => String(values.get(name)).trim();
    onClose();
    add({ dimension: given('dimension') as Dimension, operator: given('operator') as Operator, values: [given('value')] });
    return undefined;
  }
  return (
    <Dialog title={t.analytics.filter} onClose={onClose} keepsInput>
      <Form submit={words.show} onSubmit={show} onCancel={onClose}>
        <div class="field-row">
          <Select name="dimension" label={words.dimension} options={WRITTEN.map((value) => ({ value, label: words.dimensions[value] }))} />
          <Select name="operator" label={words.operator} options={OPERATORS.map((value) => ({ value, label: words.operators[value] }))} />
        </div>
        <Field name="value" label={words.value} rule={{ required: true, maxLength: ClickCondition.values.maxLength }} hasFocus />
      </Form>
    </Dialog>
  );
}
