import { useEffect, useRef, useState } from 'preact/hooks';
import { linksArguments } from '../api/generated/constraints.ts';
import { t } from '../i18n/index.ts';
import { TagsInput } from '../tags/field.tsx';
import { tagsFrom } from '../tags/name.ts';
import { FieldFrame } from '../ui/field.tsx';
import { isUrl, withScheme } from './address.ts';
import type { FiltersProps } from './filters.tsx';

/** A text that is looked for as a whole, once it is complete: with Enter, or when the field is left. */
function Exact(props: { name: string; label: string; value: string; maxLength: number; error?: string; apply(text: string): void }) {
  const { value, maxLength, apply } = props;
  const field = useRef<HTMLInputElement>(null);
  // The address may change without the field, by Back or by clearing the filters.
  useEffect(() => {
    field.current!.value = value;
  }, [value]);
  return (
    <FieldFrame {...props}>
      {(shared) => (
        <div class="input-group">
          <input
            {...shared}
            ref={field}
            type="search"
            maxLength={maxLength}
            defaultValue={value}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onChange={({ currentTarget: { value: text } }) => apply(text.trim())}
            // The browser's cross empties it without leaving it.
            onInput={({ currentTarget: { value: text } }) => text === '' && apply('')}
          />
        </div>
      )}
    </FieldFrame>
  );
}

interface MoreProps extends Pick<FiltersProps, 'filters' | 'change'> {
  onClose(): void;
}

/** Filters that are rarely used, for values that are known exactly. */
export default function MoreFilters({ filters: { destination, externalId, tag }, change }: MoreProps) {
  const [isWrong, setWrong] = useState(false);
  const words = t.linkForms;
  return (
    <div class="field-row">
      <FieldFrame name="tag" label={t.tags.title} hint={t.tags.field.filterHint}>
        {(shared) => (
          <TagsInput
            {...shared}
            name="tag"
            tags={tagsFrom(tag)}
            onChange={(tags) => change({ tag: tags.join(',') })}
          />
        )}
      </FieldFrame>
      <Exact
        name="destination"
        label={t.links.destination}
        value={destination}
        maxLength={linksArguments.destinationUrl.maxLength}
        error={isWrong ? words.noAddress : undefined}
        apply={(text) => {
          const url = withScheme(text);
          const isGood = url === '' || isUrl(url);
          setWrong(!isGood);
          if (isGood) change({ destination: url });
        }}
      />
      <Exact
        name="externalId"
        label={t.links.texts.externalId}
        value={externalId}
        maxLength={linksArguments.externalId.maxLength}
        apply={(text) => change({ externalId: text })}
      />
    </div>
  );
}
