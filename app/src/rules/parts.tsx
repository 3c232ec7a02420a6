// The addresses among which visitors are divided, with their weights.
import { useContext } from 'preact/hooks';
import { SetLinkSplitInput, SplitPartInput } from '../api/generated/constraints.ts';
import { formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { FormContext, Notes } from '../ui/field.tsx';
import { Field } from '../ui/form.tsx';
import { newPart, type Part, sumOf } from './model.ts';

interface PartsProps {
  /** The name of the errors that are about all of them. */
  name: string;
  parts: Part[];
  onChange(parts: Part[]): void;
}

export function PartFields({ name, parts, onChange }: PartsProps) {
  const words = t.rules.destination;
  const { errors } = useContext(FormContext);
  const sum = sumOf(parts);
  return (
    <fieldset name={name} class="split-parts" tabIndex={-1}>
      <legend class="hidden">{words.ways.many}</legend>
      {parts.map((part, at) => {
        const change = (to: Partial<Part>) => onChange(parts.with(at, { ...part, ...to }));
        const number = formatNumber(at + 1);
        return (
          <div key={part.id} class="split-part" role="group" aria-label={words.part(number)}>
            <Field
              name={`p${part.id}.destinationUrl`}
              label={words.url}
              value={part.url}
              inputMode="url"
              rule={SplitPartInput.destinationUrl}
              onInput={(url) => change({ url })}
            />
            <Field
              name={`p${part.id}.label`}
              label={words.label}
              value={part.label}
              isOptional
              rule={SplitPartInput.label}
              onInput={(label) => change({ label })}
            />
            <Field
              name={`p${part.id}.weight`}
              type="number"
              label={words.weight}
              value={part.weight}
              hint={words.share(formatShare(sum > 0 ? Number(part.weight) / sum : 0))}
              rule={SplitPartInput.weight}
              onInput={(weight) => change({ weight })}
            />
            {parts.length > 2 && <Button kind="quiet" icon="trash" label={words.remove(number)} onClick={() => onChange(parts.toSpliced(at, 1))} />}
          </div>
        );
      })}
      <Notes id={name} error={errors[name]} />
      {parts.length < SetLinkSplitInput.parts.maxItems && (
        <div>
          <Button icon="plus" onClick={() => onChange([...parts, newPart()])}>
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
