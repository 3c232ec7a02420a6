import { CreateLinkInput } from '../api/generated/constraints.ts';
import { t } from '../i18n/index.ts';
import { Field } from '../ui/form.tsx';

export function TitleField({ value }: { value?: string }) {
  const { title, titleHint } = t.links.texts;
  return <Field name="title" label={title} value={value} hint={titleHint} rule={CreateLinkInput.title} isOptional isProse />;
}
