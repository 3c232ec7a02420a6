// The conditions of a rule: what each is about, and its values in the way that suits it.
import { useContext, useState } from 'preact/hooks';
import { RuleConditionInput } from '../api/generated/constraints.ts';
import type { RuleKind } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { FieldFrame, FormContext, Notes, notesOf, Select } from '../ui/field.tsx';
import { Field } from '../ui/form.tsx';
import { Tokens } from '../ui/tokens.tsx';
import {
  type Condition,
  DAYS,
  endsOf,
  firstValues,
  type How,
  hoursIn,
  hoursText,
  KINDS,
  newCondition,
  windowText,
} from './model.ts';
import { choices, dayNames, nameOf, type Named, valueOf } from './names.ts';
import { Warnings } from './warnings.tsx';

/** The id of the list of time zones, which all fields for one share. */
export const ZONES = 'time-zones';
/** As many as a rule can have. */
const MOST_CONDITIONS = 8;

interface KindProps {
  condition: Condition;
  change(change: Partial<Condition>): void;
}

interface ChoicesProps {
  id: string;
  name: string;
  legend: string;
  options: Named[];
  chosen: string[];
  onChange(chosen: string[]): void;
}

/** Any of a few, all in sight. */
function Choices({ id, name, legend, options, chosen, onChange }: ChoicesProps) {
  const { errors, clear } = useContext(FormContext);
  const notes = { id, error: errors[name] };
  return (
    <fieldset name={name} class="rule-choices" tabIndex={-1} aria-describedby={notesOf(notes)}>
      <legend class="hidden">{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} class="rule-choice">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => {
              clear(name);
              const isOn = event.currentTarget.checked;
              onChange(options.map((each) => each.value).filter((each) => (each === value ? isOn : chosen.includes(each))));
            }}
          />
          {label}
        </label>
      ))}
      <Notes {...notes} />
    </fieldset>
  );
}

function Texts({ condition: { id, kind, how, values }, change, label }: KindProps & { label: string }) {
  const [unknown, setUnknown] = useState('');
  const name = `c${id}.values`;
  const { errors } = useContext(FormContext);
  const words = t.rules.condition;
  const offered = choices(kind).filter(({ value }) => !values.includes(value));
  function read(text: string): string | undefined {
    const value = kind === 'QUERY' ? how + text : valueOf(kind, text);
    setUnknown(value === undefined ? text : '');
    return value;
  }
  return (
    <div onInput={() => setUnknown('')}>
      <FieldFrame
        name={name}
        label={label}
        isBare={kind !== 'QUERY'}
        hint={[t.rules.hints[kind], words.enter].filter(Boolean).join(' ')}
        error={unknown === '' ? errors[name] : words.unknown(unknown)}
      >
        {(shared) => (
          <Tokens
            {...shared}
            name={name}
            label={label}
            words={t.tags.field}
            values={values}
            onChange={(next) => change({ values: next })}
            names={offered.map((each) => each.label)}
            isSame={(a, b) => a === b}
            show={(value) => nameOf(kind, value)}
            read={read}
            addsOnBlur
          />
        )}
      </FieldFrame>
    </div>
  );
}

function Parameter({ condition, change }: KindProps) {
  const words = t.rules.condition;
  const { id, key, how, values } = condition;
  const choose = (next: How) => change({ how: next, values: next === '' ? [] : values.map((value) => next + value.slice(1)) });
  return (
    <>
      <Field
        name={`c${id}.key`}
        label={words.parameter}
        hint={words.parameterHint}
        value={key}
        rule={RuleConditionInput.key}
        onInput={(text) => change({ key: text.trim() })}
      />
      <Select
        label={words.how}
        value={how}
        onChange={choose}
        options={(['', '=', '~'] as const).map((value) => ({ value, label: words.hows[value] }))}
      />
      {how !== '' && <Texts condition={condition} change={change} label={words.texts} />}
    </>
  );
}

interface TimeProps {
  id: string;
  name: string;
  value: string;
  onChange(value: string): void;
}

function WindowFields({ id, name, value, onChange }: TimeProps) {
  const words = t.rules.condition;
  const [from, until] = endsOf(value);
  return (
    <div class="field-row">
      <Field name={id} type="datetime-local" label={words.from} value={from} onInput={(text) => onChange(windowText(text, until))} />
      <Field name={name} type="datetime-local" label={words.until} value={until} onInput={(text) => onChange(windowText(from, text))} />
    </div>
  );
}

function HoursFields({ id, name, value, onChange }: TimeProps) {
  const words = t.rules.condition;
  const { clear } = useContext(FormContext);
  const hours = hoursIn(value);
  const names = dayNames();
  const set = (change: Partial<typeof hours>) => {
    clear(name);
    onChange(hoursText({ ...hours, ...change }));
  };
  return (
    <>
      <Choices
        id={id}
        name={name}
        legend={words.days}
        options={DAYS.map((day, at) => ({ value: day, label: names[at]! }))}
        chosen={hours.days}
        onChange={(days) => set({ days })}
      />
      <div class="hours">
        <Field name={`${id}.from`} type="time" label={words.from} value={hours.from} onInput={(from) => set({ from })} />
        <Field name={`${id}.until`} type="time" label={words.until} value={hours.until} onInput={(until) => set({ until })} />
      </div>
    </>
  );
}

function Times({ condition: { id, kind, key, values }, change }: KindProps) {
  const words = t.rules.condition;
  const Fields = kind === 'TIME_WINDOW' ? WindowFields : HoursFields;
  const put = (at: number, value: string[]) => change({ values: values.toSpliced(at, 1, ...value) });
  // Fields keep what is typed, so that another time below one that goes would show what that one had.
  const [edition, setEdition] = useState(0);
  return (
    <>
      {values.map((value, at) => (
        <div key={`${edition} ${at}`} class="time">
          <Fields id={`c${id}.time${at}`} name={at === 0 ? `c${id}.values` : `c${id}.end${at}`} value={value} onChange={(next) => put(at, [next])} />
          {values.length > 1 && (
            <Button
              kind="quiet"
              icon="close"
              label={words.removeTime(nameOf(kind, value))}
              onClick={() => {
                put(at, []);
                setEdition(edition + 1);
              }}
            />
          )}
        </div>
      ))}
      <p class="hint">{t.rules.hints[kind]}</p>
      <div>
        <Button icon="plus" onClick={() => change({ values: [...values, ...firstValues(kind)] })}>
          {words.anotherTime}
        </Button>
      </div>
      <Field
        name={`c${id}.key`}
        label={words.zone}
        value={key}
        list={ZONES}
        rule={{ ...RuleConditionInput.key, required: true }}
        onInput={(text) => change({ key: text.trim() })}
      />
    </>
  );
}

function Values({ condition, change }: KindProps) {
  const { id, kind, values } = condition;
  if (kind === 'IS_BOT') return null;
  if (kind === 'QUERY') return <Parameter condition={condition} change={change} />;
  if (kind === 'TIME_WINDOW' || kind === 'WEEKLY_HOURS') return <Times condition={condition} change={change} />;
  if (kind !== 'DEVICE') return <Texts condition={condition} change={change} label={t.rules.kinds[kind]} />;
  return (
    <Choices
      id={`c${id}`}
      name={`c${id}.values`}
      legend={t.rules.kinds[kind]}
      options={Object.entries(t.rules.devices).map(([value, label]) => ({ value, label }))}
      chosen={values}
      onChange={(chosen) => change({ values: chosen })}
    />
  );
}

interface ConditionProps extends KindProps {
  isFirst: boolean;
  /** Past visits can't tell whether it fits, for this reason. */
  unknown?: string;
  remove?: () => void;
}

function ConditionFields({ condition, change, isFirst, unknown, remove }: ConditionProps) {
  const words = t.rules.condition;
  const { kind, isNot, warnings } = condition;
  const turn = (next: RuleKind) => {
    const { key, values, how } = newCondition(next);
    change({ kind: next, key, values, how });
  };
  return (
    <fieldset class="condition" tabIndex={-1}>
      <legend>{isFirst ? words.first : t.rules.and}</legend>
      <div class="condition-about">
        <Select isBare label={words.kind} value={kind} onChange={turn} options={KINDS.map((value) => ({ value, label: t.rules.kinds[value] }))} />
        <Select
          isBare
          label={words.is}
          value={isNot ? 'no' : 'yes'}
          onChange={(choice) => change({ isNot: choice === 'no' })}
          options={(['yes', 'no'] as const).map((value) => ({ value, label: words[value] }))}
        />
        {remove && (
          <Button
            kind="quiet"
            icon="trash"
            label={words.remove}
            onClick={remove}
          />
        )}
      </div>
      <div key={kind} class="condition-values">
        <Values condition={condition} change={change} />
      </div>
      <Warnings reasons={warnings} />
      {unknown && <p class="hint">{unknown}</p>}
    </fieldset>
  );
}

interface ConditionsProps {
  /** The name of the errors that are about all of them. */
  name: string;
  conditions: Condition[];
  unknown(condition: Condition): string | undefined;
  onChange(conditions: Condition[]): void;
}

export function Conditions({ name, conditions, unknown, onChange }: ConditionsProps) {
  const { errors } = useContext(FormContext);
  return (
    <fieldset name={name} class="conditions" tabIndex={-1}>
      {conditions.map((condition, at) => (
        <ConditionFields
          key={condition.id}
          condition={condition}
          isFirst={at === 0}
          unknown={unknown(condition)}
          change={(change) => onChange(conditions.with(at, { ...condition, warnings: [], ...change }))}
          remove={conditions.length > 1 ? () => onChange(conditions.toSpliced(at, 1)) : undefined}
        />
      ))}
      <Notes id={name} error={errors[name]} />
      {conditions.length < MOST_CONDITIONS && (
        <div>
          <Button icon="plus" onClick={() => onChange([...conditions, newCondition()])}>
            {t.rules.condition.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
