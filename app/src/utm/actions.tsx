// Actions on UTM templates.
import { mutate } from '../api/client.ts';
import { CreateUtmTemplateInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { UtmInput, UtmTemplateFieldsFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { UTM_NAMES } from './names.ts';

const CREATE = graphql(`
  mutation CreateUtmTemplate($input: CreateUtmTemplateInput!) {
    createUtmTemplate(input: $input) {
      id
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateUtmTemplate($id: ID!, $input: UpdateUtmTemplateInput!) {
    updateUtmTemplate(id: $id, input: $input) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteUtmTemplate($id: ID!) {
    deleteUtmTemplate(id: $id)
  }
`);

type Template = UtmTemplateFieldsFragment;

/** Makes a template, or changes one that is there. */
export function TemplateDialog({ template, onClose }: { template?: Template; onClose(): void }) {
  const its = t.utm;
  const does = template ? its.edit : its.create;
  const version = useVersion(template?.updatedAt);
  async function send(values: FormData) {
    const name = String(values.get('name')).trim();
    // Null takes a parameter away.
    const parameters: UtmInput = Object.fromEntries(UTM_NAMES.map((each) => [each, String(values.get(each)).trim() || null]));
    if (Object.values(parameters).every((value) => value === null)) {
      return { code: '', message: '', violations: [{ path: 'source', message: its.nothing }], details: {} };
    }
    const input = { name, ...parameters };
    const { problem } = template
      ? await mutate(UPDATE, { id: template.id, input: version.of(input) })
      : await mutate(CREATE, { input });
    if (problem) return version.told(problem);
    say(naming(does.done, name));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={does.title} onClose={onClose} keepsInput>
      <Form submit={template ? t.action.save : its.create.submit} onSubmit={send} onCancel={onClose}>
        <Field
          name="name"
          label={its.create.name}
          value={template?.name}
          hint={template && its.edit.hint}
          rule={CreateUtmTemplateInput.name}
          hasFocus
        />
        {UTM_NAMES.map((name) => (
          <Field
            key={name}
            name={name}
            label={its.names[name]}
            value={template?.[name] ?? undefined}
            hint={its.hints[name]}
            rule={CreateUtmTemplateInput[name]}
          />
        ))}
      </Form>
    </Dialog>
  );
}

export function DeleteDialog({ template: { id, name }, onClose }: { template: Template; onClose(): void }) {
  const its = t.utm.remove;
  async function act() {
    const { problem } = await mutate(DELETE, { id }, ['UtmTemplate']);
    if (!problem) say(naming(its.done, name));
    return problem;
  }
  return <Confirm title={naming(its.title, name)} text={its.text} confirm={its.confirm} onConfirm={act} onClose={onClose} />;
}
