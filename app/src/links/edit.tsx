import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { UpdateLinkInput } from '../api/generated/constraints.ts';
import type { UpdateLinkInput as Change } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { UtmSection } from '../utm/section.tsx';
import { useUtm } from '../utm/typed.ts';
import { type DialogProps, UPDATE } from './actions.ts';
import { placeOf, readableShort, withScheme } from './address.ts';
import { DestinationField, doubtOf } from './destination.tsx';
import { changes, hasMore } from './fields.ts';
import { MoreFields } from './form-fields.tsx';
import { FORM, FORM_TYPES, hostChoices, hostsOf } from './hosts.ts';
import { Rehearsed, useRehearsal } from './rehearsal.tsx';
import { useTaken } from './taken.ts';
import { TitleField } from './title-field.tsx';

export default function EditDialog({ link, onClose }: DialogProps) {
  const { data } = useData(FORM, {}, FORM_TYPES);
  // Its own may be one that is not served now.
  const hosts = [...new Set([...(data ? hostsOf(data) : []), link.domain])];
  const [destination, setDestination] = useState(link.destinationUrl);
  const utm = useUtm(withScheme(destination));
  const [slug, setSlug] = useState(link.slug);
  const [domain, setDomain] = useState(link.domain);
  const taken = useTaken(slug, domain, link);
  const version = useVersion(link.updatedAt);
  function changeIn(values: FormData): Change {
    const given = {
      destinationUrl: withScheme(String(values.get('destinationUrl'))),
      slug: String(values.get('slug')),
    };
    const tags = tagsIn(values, 'tags');
    return {
      ...(given.destinationUrl !== link.destinationUrl && { destinationUrl: given.destinationUrl }),
      ...(given.slug !== link.slug && { slug: given.slug }),
      ...(domain !== link.domain && { domain }),
      ...(utm.change && { utm: utm.change }),
      ...(tags.join() !== link.tags.join() && { tags }),
      ...changes(values, link),
    };
  }
  const { answer: told, type: look } = useRehearsal(link.id, changeIn);
  async function send(values: FormData) {
    const doubt = doubtOf(destination);
    if (doubt) return doubt;
    const input = changeIn(values);
    // The service refuses a change of nothing.
    if (Object.keys(input).length > 0) {
      const { problem } = await mutate(UPDATE, { id: link.id, input: version.of(input) });
      if (problem) return version.told(problem);
    }
    say(t.linkForms.edit.saved);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={t.linkForms.edit.title} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose} onInput={look}>
        <DestinationField typed={destination} value={link.destinationUrl} onInput={setDestination} />
        <div class="field-row">
          {hosts.length > 1 && (
            <Select
              name="domain"
              label={t.links.domain}
              value={domain}
              onChange={setDomain}
              options={hostChoices(hosts, data)}
              hint={domain === link.domain ? undefined : naming(t.linkForms.edit.moveWarning, readableShort(link.shortUrl))}
            />
          )}
          <Field
            name="slug"
            label={t.links.slug}
            value={link.slug}
            prefix={hosts.length === 1 ? `${placeOf(link)}/` : undefined}
            rule={{ ...UpdateLinkInput.slug, required: true }}
            error={taken}
            hint={slug === link.slug ? undefined : t.linkForms.edit.slugWarning}
            onInput={setSlug}
          />
        </div>
        <TitleField value={link.title ?? undefined} />
        <TagsField name="tags" label={t.tags.title} value={link.tags} hint={t.tags.field.hint} isOptional />
        <UtmSection utm={utm} templates={data?.utmTemplates.data ?? []} isOpenFirst={link.utm !== null} />
        <details class="more" open={hasMore(link)}>
          <summary>{t.links.more}</summary>
          <MoreFields link={link} />
        </details>
        <Rehearsed told={told} />
      </Form>
    </Dialog>
  );
}
