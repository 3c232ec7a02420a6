import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';

interface DaysProps {
  /** The first and the last day that are shown now. */
  days: [string, string];
  choose(days: [string, string]): void;
  onClose(): void;
}

/** Asks for the first and the last day of a time of one's own. */
export function DaysDialog({ days: [first, last], choose, onClose }: DaysProps) {
  async function show(values: FormData) {
    onClose();
    choose(['first', 'last'].map((name) => String(values.get(name))).toSorted() as [string, string]);
    return undefined;
  }
  const shared = { type: 'date', rule: { required: true } } as const;
  return (
    <Dialog title={t.analytics.days} onClose={onClose} keepsInput>
      <Form submit={t.reportForms.show} onSubmit={show} onCancel={onClose}>
        <div class="field-row">
          <Field {...shared} name="first" label={t.reportForms.first} value={first} hasFocus />
          <Field {...shared} name="last" label={t.reportForms.last} value={last} />
        </div>
      </Form>
    </Dialog>
  );
}
