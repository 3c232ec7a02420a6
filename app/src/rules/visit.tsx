// Where the saved rules lead a visitor, and why.
import { useState } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { ExplainRedirectInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ExplainVisitQuery, RulesShownFragment } from '../api/generated/graphql.ts';
import { momentOf } from '../i18n/clock.ts';
import { formatNumber, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Select } from '../ui/field.tsx';
import { Fold } from '../ui/fold.tsx';
import { Field, Form } from '../ui/form.tsx';
import { rulesOf } from './model.ts';
import { countries, languages } from './names.ts';
import { Clause, Destination } from './sentence.tsx';

const EXPLAIN = graphql(`
  query ExplainVisit($id: ID!, $input: ExplainRedirectInput!) {
    explainRedirect(linkId: $id, input: $input) {
      state
      answer
      rule
      isSplit
      finalUrl
      rules {
        number
        name
        result
        failedCondition
      }
    }
  }
`);

type Explanation = ExplainVisitQuery['explainRedirect'];

const BOT = 'Googlebot';
const MESSENGER = 'Slack';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
/** Browsers by what people call them. */
const AGENTS: Record<string, string> = {
  'iPhone, Safari': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} Version/18.6 Mobile/15E148 Safari/604.1`,
  'iPhone, Instagram': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} Mobile/15E148 Instagram 390.0.0.28.85`,
  'Android, Chrome': `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
  'Android tablet, Chrome': `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Safari/537.36`,
  'Windows, Edge': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`,
  'Windows, Firefox': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mac, Safari': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.6 Safari/605.1.15`,
  'Linux, Firefox': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  [BOT]: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  [MESSENGER]: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
};

function Explained({ explanation: { state, answer, rule, isSplit, finalUrl, rules }, saved }: { explanation: Explanation; saved: RulesShownFragment }) {
  const words = t.rules.visit;
  const known = rulesOf(saved);
  return (
    <>
      {state !== 'ACTIVE' && <p>{words.notActive(t.links.states[state])}</p>}
      {answer === 'QUESTION' && <p>{words.asks}</p>}
      {answer === 'CARD' && <p>{words.card}</p>}
      {answer === 'APP' && <p>{words.app}</p>}
      <p class="rule-sentence">
        {words.leads} <Destination url={finalUrl} />
      </p>
      <p>
        {rule !== null && words.byRule(formatNumber(rule))} {isSplit && words.bySplit} {rule === null && !isSplit && words.byLink}
      </p>
      <ol class="explained">
        {rules.map(({ number, name, result, failedCondition }) => {
          const condition = failedCondition === null ? undefined : known[number - 1]?.conditions[failedCondition - 1];
          return (
            <li key={number}>
              {t.rules.rule(formatNumber(number))} {name !== null && <bdi class="muted">{name}</bdi>}{' '}
              {result === 'MATCHED' && words.matched}
              {result === 'NOT_REACHED' && words.notReached}
              {result === 'FAILED' && (
                <>
                  {words.failed} {condition && <Clause condition={condition} />}
                </>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The rest of a visit, which few rules ask about. */
const More = () => (
  <>
    <Field name="referrer" label={t.rules.visit.referrer} inputMode="url" rule={ExplainRedirectInput.referrer} />
    <Field name="query" label={t.rules.visit.query} hint={t.rules.visit.queryHint} rule={ExplainRedirectInput.query} />
  </>
);

export function TryVisit({ linkId, saved }: { linkId: string; saved: RulesShownFragment }) {
  const words = t.rules.visit;
  const [found, setFound] = useState<{ explanation: Explanation; saved: RulesShownFragment }>();
  const any = { value: '', label: words.any };
  async function ask(values: FormData) {
    const given = (name: string): string | undefined => String(values.get(name) ?? '').trim() || undefined;
    const at = given('at');
    const { data, problem } = await fetchOnce(EXPLAIN, {
      id: linkId,
      input: {
        userAgent: AGENTS[String(values.get('device'))],
        country: given('country'),
        acceptLanguage: given('acceptLanguage'),
        referrer: given('referrer'),
        query: given('query')?.replace(/^\?/, ''),
        at: at && momentOf(at),
      },
    });
    setFound(data && { explanation: data.explainRedirect, saved });
    return problem;
  }
  return (
    <section class="card visit" aria-labelledby="visit-title">
      <h2 id="visit-title">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <Form submit={words.submit} onSubmit={ask}>
        <div class="field-row">
          <Select
            name="device"
            label={words.device}
            options={Object.keys(AGENTS).map((value) => ({ value, label: { [BOT]: words.bot, [MESSENGER]: words.messenger }[value] ?? value }))}
          />
          <Select name="country" label={words.country} options={[any, ...countries()]} />
          <Select name="acceptLanguage" label={words.language} options={[any, ...languages()]} />
          <Field name="at" type="datetime-local" label={words.at} hint={words.atHint(timeZone())} />
        </div>
        <Fold label={words.more} content={() => <More />} />
        <div role="status" class="visit-answer">
          {found && <Explained {...found} />}
        </div>
      </Form>
    </section>
  );
}
