// Among which addresses visitors are divided whom no rule leads elsewhere.
import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { SplitShownFragment } from '../api/generated/graphql.ts';
import { minuteOf, momentOf } from '../i18n/clock.ts';
import { timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Field, Form } from '../ui/form.tsx';
import { useWarning } from '../ui/leaving.ts';
import { say } from '../ui/toast.tsx';
import type { Version } from '../ui/version.ts';
import { newPart, partInputs, partsOf, withPartFields } from './model.ts';
import { PartFields } from './parts.tsx';
import { AFFECTED } from './rules-form.tsx';
import { explainChange } from './saving.tsx';
import { Destination } from './sentence.tsx';

const SET_SPLIT = graphql(`
  mutation SetLinkSplit($id: ID!, $input: SetLinkSplitInput!) {
    setLinkSplit(linkId: $id, input: $input) {
      ...SplitShown
    }
  }
`);

interface SplitFormProps {
  linkId: string;
  /** Where the link itself leads. */
  url: string;
  saved: SplitShownFragment;
  version: Version;
  loadNewer(): void;
}

export function SplitForm({ linkId, url, saved, version, loadNewer }: SplitFormProps) {
  const words = t.rules.split;
  const [parts, setParts] = useState(() => partsOf(saved.parts));
  const [stopsAt, setStopsAt] = useState(minuteOf(saved.autoStopsAt));
  const stateOf = (given: typeof parts, stops: string) => JSON.stringify([partInputs(given), given.length > 0 && stops]);
  const [before, setBefore] = useState(() => stateOf(parts, stopsAt));
  const isChanged = stateOf(parts, stopsAt) !== before;
  useWarning(isChanged);

  async function send() {
    const input = { parts: partInputs(parts), autoStopsAt: parts.length > 0 && stopsAt !== '' ? momentOf(stopsAt) : null };
    const { data, problem } = await mutate(SET_SPLIT, { id: linkId, input: version.of(input) }, AFFECTED);
    if (problem) return version.told(withPartFields(problem, parts));
    const { parts: set, autoStopsAt, updatedAt } = data.setLinkSplit;
    const next = partsOf(set);
    version.now(updatedAt);
    setParts(next);
    setStopsAt(minuteOf(autoStopsAt));
    setBefore(stateOf(next, minuteOf(autoStopsAt)));
    say(words.saved);
    return undefined;
  }

  return (
    <Form submit={words.save} onSubmit={send} explain={explainChange(loadNewer)} class="form rule-list">
      {parts.length === 0 ? (
        <div class="card rule" tabIndex={-1}>
          <p class="rule-sentence">
            {words.none} <Destination url={url} />
          </p>
          <div>
            <Button icon="plus" onClick={() => setParts([newPart(url), newPart()])}>
              {words.begin}
            </Button>
          </div>
        </div>
      ) : (
        <div class="card rule" tabIndex={-1}>
          <PartFields name="parts" parts={parts} onChange={setParts} />
          <Field
            name="autoStopsAt"
            type="datetime-local"
            label={words.stopsAt}
            value={stopsAt}
            hint={words.stopsAtHint(timeZone())}
            isOptional
            onInput={setStopsAt}
          />
          <div>
            <Button onClick={() => setParts([])}>{words.end}</Button>
          </div>
        </div>
      )}
      <p role="status" class="muted">
        {isChanged && t.rules.unsaved}
      </p>
    </Form>
  );
}
