// The rules of a link, in their order, each as a sentence that can be changed.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { LinkRuleInput, SetLinkRulesInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { RulesShownFragment } from '../api/generated/graphql.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Fold } from '../ui/fold.tsx';
import { Field, Form } from '../ui/form.tsx';
import { useWarning } from '../ui/leaving.ts';
import { Segments } from '../ui/segments.tsx';
import { EmptyState } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import type { Version } from '../ui/version.ts';
import { Conditions } from './conditions.tsx';
import { isWhole, lacking, newPart, newRule, type Rule, ruleInputs, rulesOf, withRuleFields } from './model.ts';
import { PartFields } from './parts.tsx';
import { type Rehearsal, Rehearsed, unknownOf, useRehearsal } from './rehearsal.tsx';
import { SplitReport } from './report.tsx';
import { explainChange } from './saving.tsx';
import { Sentence } from './sentence.tsx';
import { Warnings } from './warnings.tsx';

const SET_RULES = graphql(`
  mutation SetLinkRules($id: ID!, $input: SetLinkRulesInput!) {
    setLinkRules(linkId: $id, input: $input) {
      ...RulesShown
    }
  }
`);

/** What else shows rules and splits. */
export const AFFECTED = ['Link', 'LinkRules', 'LinkSplit', 'SplitReport'];

interface OutcomeProps {
  rule: Rule;
  change(change: Partial<Rule>): void;
}

function OutcomeFields({ rule: { id, url, parts }, change }: OutcomeProps) {
  const words = t.rules.destination;
  const way = parts.length > 0 ? 'many' : 'one';
  return (
    <>
      <Segments
        label={words.title}
        name={`r${id}.way`}
        value={way}
        options={(['one', 'many'] as const).map((value) => ({ value, label: words.ways[value] }))}
        onChange={(chosen) => change(chosen === 'many' ? { parts: [newPart(url), newPart()] } : { parts: [], url: parts[0]?.url ?? url })}
      />
      {way === 'many' ? (
        <PartFields name={`r${id}.split`} parts={parts} onChange={(next) => change({ parts: next })} />
      ) : (
        <Field
          name={`r${id}.destinationUrl`}
          label={words.url}
          value={url}
          inputMode="url"
          rule={{ ...LinkRuleInput.destinationUrl, required: true }}
          onInput={(text) => change({ url: text })}
        />
      )}
    </>
  );
}

interface RuleProps extends OutcomeProps {
  linkId: string;
  place: number;
  count: number;
  isNew: boolean;
  rehearsal?: Rehearsal;
  move(by: -1 | 1, button: HTMLElement): void;
  remove(): void;
}

function RuleCard({ linkId, rule, place, count, isNew, rehearsal, change, move, remove }: RuleProps) {
  const words = t.rules;
  const { id, number, name, conditions, warnings } = rule;
  const called = words.rule(formatNumber(place));
  return (
    <li class="card rule" id={`rule-${id}`} tabIndex={-1}>
      <div class="rule-head">
        <h3>
          {called} {name.trim() !== '' && <bdi class="muted">{name}</bdi>}
        </h3>
        <div class="rule-actions">
          <Button kind="quiet" icon="down" class="rule-up" label={words.up(called)} isDisabled={place === 1} onClick={(event) => move(-1, event.currentTarget as HTMLElement)} />
          <Button kind="quiet" icon="down" label={words.down(called)} isDisabled={place === count} onClick={(event) => move(1, event.currentTarget as HTMLElement)} />
          <Button kind="quiet" icon="trash" label={words.remove(called)} onClick={remove} />
        </div>
      </div>
      <p class="rule-sentence">
        <Sentence rule={rule} />
      </p>
      <Warnings reasons={[...warnings, ...conditions.flatMap((each) => each.warnings)]} />
      <Rehearsed rehearsal={rehearsal} rule={rule} />
      <details class="more" open={isNew}>
        <summary>{words.change}</summary>
        <Conditions
          name={`r${id}.conditions`}
          conditions={conditions}
          unknown={(condition) => unknownOf(rehearsal, condition)}
          onChange={(next) => change({ conditions: next })}
        />
        <OutcomeFields rule={rule} change={change} />
        <Field
          name={`r${id}.name`}
          label={words.name}
          value={name}
          hint={words.nameHint}
          isOptional
          isProse
          rule={LinkRuleInput.name}
          onInput={(text) => change({ name: text })}
        />
      </details>
      {rule.parts.length > 0 && number !== undefined && <Fold label={words.report.title} content={() => <SplitReport id={linkId} rule={number} />} />}
    </li>
  );
}

interface RulesFormProps {
  linkId: string;
  saved: RulesShownFragment;
  version: Version;
  loadNewer(): void;
}

export function RulesForm({ linkId, saved, version, loadNewer }: RulesFormProps) {
  const words = t.rules;
  const [rules, setRules] = useState(() => rulesOf(saved));
  const [before, setBefore] = useState(() => JSON.stringify(ruleInputs(rules)));
  const [said, tell] = useState('');
  const isChanged = JSON.stringify(ruleInputs(rules)) !== before;
  const rehearsal = useRehearsal(linkId, rules);
  useWarning(isChanged);

  // What is moved loses the focus, and what is new gets it.
  const focused = useRef<() => void>(undefined);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    focused.current?.();
    focused.current = undefined;
  }, [rules]);

  /** Which rules hide which is judged anew when they are saved. */
  const reorder = (next: Rule[]) => setRules(next.map((rule) => ({ ...rule, warnings: [] })));
  function move(at: number, by: -1 | 1, button: HTMLElement) {
    focused.current = () => button.focus();
    reorder(rules.toSpliced(at, 1).toSpliced(at + by, 0, rules[at]!));
    tell(words.moved(formatNumber(at + by + 1), formatNumber(rules.length)));
  }
  function add() {
    const rule = newRule();
    focused.current = () => list.current!.querySelector<HTMLElement>(`#rule-${rule.id} select`)?.focus();
    setRules([...rules, rule]);
  }
  async function send() {
    const lack = lacking(rules, words.lacks);
    if (lack) return lack;
    const { data, problem } = await mutate(SET_RULES, { id: linkId, input: version.of({ rules: ruleInputs(rules) }) }, AFFECTED);
    if (problem) return version.told(withRuleFields(problem, rules));
    const next = rulesOf(data.setLinkRules);
    version.now(data.setLinkRules.updatedAt);
    setRules(next);
    setBefore(JSON.stringify(ruleInputs(next)));
    say(words.saved);
    return undefined;
  }

  return (
    <section class="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{words.rules}</h2>
      <Form submit={words.save} onSubmit={send} explain={explainChange(loadNewer)}>
        {rules.length === 0 && <EmptyState icon="merge" title={words.none} hint={words.noneHint} />}
        <ol class="rule-list" ref={list} tabIndex={-1}>
          {rules.map((rule, at) => (
            <RuleCard
              key={rule.id}
              linkId={linkId}
              rule={rule}
              place={at + 1}
              count={rules.length}
              isNew={rule.number === undefined}
              rehearsal={rehearsal}
              change={(change) => setRules((now) => now.map((each) => (each.id === rule.id ? { ...each, ...change } : each)))}
              move={(by, button) => move(at, by, button)}
              remove={() => reorder(rules.toSpliced(at, 1))}
            />
          ))}
        </ol>
        {rules.length < SetLinkRulesInput.rules.maxItems && (
          <div>
            <Button icon="plus" onClick={add}>
              {words.add}
            </Button>
          </div>
        )}
        <div role="status">
          {rules.length > 0 && !rules.every(isWhole) && <p class="muted">{words.rehearsal.unfinished}</p>}
          {rules.length > 0 && rehearsal?.told.visits === 0 && <p class="muted">{words.rehearsal.noVisits}</p>}
          {rules.length > 0 && <Rehearsed rehearsal={rehearsal} />}
          {isChanged && <p class="muted">{words.unsaved}</p>}
        </div>
        <span class="hidden" role="status">
          {said}
        </span>
      </Form>
    </section>
  );
}
