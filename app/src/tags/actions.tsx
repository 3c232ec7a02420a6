// Actions on tags.
import { useId } from 'preact/hooks';
import { fetchOnce, mutate, type Outcome } from '../api/client.ts';
import { CreateTagInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { TagRowFragment } from '../api/generated/graphql.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { isSame } from './name.ts';
import { Suggestions, useSuggestions } from './suggestions.tsx';

const CREATE = graphql(`
  mutation CreateTag($input: CreateTagInput!) {
    createTag(input: $input) {
      ...TagRow
    }
  }
`);

const RENAME = graphql(`
  mutation RenameTag($id: ID!, $input: UpdateTagInput!) {
    updateTag(id: $id, input: $input) {
      ...TagRow
    }
  }
`);

const MERGE = graphql(`
  mutation MergeTag($id: ID!, $input: MergeTagInput!) {
    mergeTag(id: $id, input: $input) {
      ...TagRow
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteTag($id: ID!) {
    deleteTag(id: $id)
  }
`);

const NAMED = graphql(`
  query TagsNamed($search: String!, $page: Int!) {
    tags(search: $search, page: $page, pageSize: 100) {
      totalPages
      data {
        id
        name
      }
    }
  }
`);

type Tag = TagRowFragment;

interface DialogProps {
  tag: Tag;
  onClose(): void;
}

/** Names a new tag, or anew one that is there. */
export function NameDialog({ tag, onClose }: { tag?: Tag; onClose(): void }) {
  const words = tag ? t.tagList.rename : t.tagList.create;
  const version = useVersion(tag?.updatedAt);
  async function send(values: FormData) {
    const input = { name: String(values.get('name')).trim() };
    const { problem } = tag
      ? await mutate(RENAME, { id: tag.id, input: version.of(input) })
      : await mutate(CREATE, { input });
    if (problem) return version.told(problem);
    say(naming(words.done, input.name));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={words.title} onClose={onClose} keepsInput>
      <Form submit={tag ? t.tagList.rename.do : t.tagList.create.submit} onSubmit={send} onCancel={onClose}>
        <Field
          name="name"
          label={t.tagList.create.name}
          value={tag?.name}
          hint={tag && t.tagList.rename.hint}
          rule={CreateTagInput.name}
          hasFocus
        />
      </Form>
    </Dialog>
  );
}

/** The tag of this name. The service looks for names that contain it, so that it may be on any page. */
async function find(name: string, page = 1): Promise<Outcome<{ id: string } | undefined>> {
  const { data, problem } = await fetchOnce(NAMED, { search: name, page });
  if (!data) return { problem };
  const found = data.tags.data.find((each) => isSame(each.name, name));
  return found || page >= data.tags.totalPages ? { data: found } : find(name, page + 1);
}

export function MergeDialog({ tag, onClose }: DialogProps) {
  const { names, look } = useSuggestions();
  const list = useId();
  const words = t.tagList.merge;
  async function send(values: FormData) {
    const { data: into, problem: unfound } = await find(String(values.get('into')).trim());
    if (unfound) return unfound;
    if (!into) return { code: 'NOT_FOUND', message: '', violations: [{ path: 'into', message: words.unknown }], details: {} };
    const { data, problem } = await mutate(MERGE, { id: tag.id, input: { into: into.id } });
    if (problem) return problem;
    say(naming(words.done, tag.name, data.mergeTag.name));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={naming(words.title, tag.name)} onClose={onClose} keepsInput>
      <Form submit={words.submit} onSubmit={send} onCancel={onClose} isDanger>
        <p>{naming((name) => words.text(tag.linkCount, formatNumber(tag.linkCount), name), tag.name)}</p>
        <Field name="into" label={words.into} list={list} rule={CreateTagInput.name} onInput={look} hasFocus />
        <Suggestions id={list} names={names.filter((name) => !isSame(name, tag.name))} />
      </Form>
    </Dialog>
  );
}

export function DeleteDialog({ tag, onClose }: DialogProps) {
  const words = t.tagList.remove;
  async function act() {
    const { problem } = await mutate(DELETE, { id: tag.id }, ['Tag']);
    if (!problem) say(naming(words.done, tag.name));
    return problem;
  }
  return (
    <Confirm
      title={naming(words.title, tag.name)}
      text={words.text(tag.linkCount, formatNumber(tag.linkCount))}
      confirm={words.confirm}
      onConfirm={act}
      onClose={onClose}
    />
  );
}
