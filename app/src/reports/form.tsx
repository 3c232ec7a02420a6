// The dialog that saves a view of the statistics as a report, and that changes a report.
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Chosen } from '../analytics/picker.tsx';
import { mutate } from '../api/client.ts';
import { CreateReportInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ReportRowFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { minuteOf, momentOf } from '../i18n/clock.ts';
import { timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fold } from '../ui/fold.tsx';
import { Check, Field, Form, TextArea } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { type Panel, PANELS, panelTitle } from './panels.ts';
import { clicksOf, timeText } from './view.ts';

const CREATE = graphql(`
  mutation CreateReport($input: CreateReportInput!) {
    createReport(input: $input) {
      id
      url
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateReport($id: ID!, $input: UpdateReportInput!) {
    updateReport(id: $id, input: $input) {
      id
      url
    }
  }
`);

const USUAL: Panel[] = ['COUNTRIES', 'SOURCES', 'DEVICES'];
/** The panels of one link: it has no list of links. */
const panelsOf = (isOfLink: boolean): Panel[] => (Object.keys(PANELS) as Panel[]).filter((panel) => !isOfLink || panel !== 'LINKS');

const NO_PASSWORD = 'noPassword';

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** A field has all origins: which of them is wrong is said beside it. */
function withOrigins(problem: Problem, origins: string[]): Problem {
  const violations = problem.violations.map((violation) => {
    const [, at] = /embedOrigins\.(\d+)$/.exec(violation.path) ?? [];
    return at ? { path: 'embedOrigins', message: `${origins[Number(at)]} ${violation.message}` } : violation;
  });
  return { ...problem, violations };
}

/** The address of a public page, to be passed on. */
function Shared({ url, onClose }: { url: string; onClose(): void }) {
  const words = t.reports;
  return (
    <>
      <div class="input-group">
        <input
          aria-label={words.address}
          value={url}
          readOnly
          ref={(input) => {
            if (!input || input.dataset.focused) return;
            input.dataset.focused = 'true';
            input.focus();
            input.select();
          }}
        />
        <CopyButton text={url} label={words.copyOf(words.address)} isUnsaid />
      </div>
      <p class="muted">{words.readyHint}</p>
      <div class="form-actions">
        <LinkButton href="/app/reports" onClick={onClose}>
          {words.all}
        </LinkButton>
        <LinkButton kind="primary" href={url} isExternal>
          {words.open}
        </LinkButton>
      </div>
    </>
  );
}

interface ReportProps {
  /** The view of a new report. */
  chosen?: Chosen;
  /** The report to change. */
  report?: ReportRowFragment;
  onClose(): void;
}

export function ReportDialog({ chosen, report, onClose }: ReportProps) {
  const words = t.reports;
  const ofPage = useRoute().params.id;
  const linkId = report ? report.linkId : ofPage;
  const version = useVersion(report?.updatedAt);
  const [url, setUrl] = useState<string>();
  const panels = panelsOf(Boolean(linkId));
  const listed = report?.panels ?? USUAL;
  const isUnusual = report !== undefined && (report.showsDestinations || report.hasPassword || report.expiresAt !== null || report.embedOrigins.length > 0);

  async function send(values: FormData) {
    const name = String(values.get('name')).trim();
    const isShared = values.has('isShared');
    const origins = linesOf(String(values.get('embedOrigins') ?? ''));
    const end = String(values.get('expiresAt') ?? '');
    const password = values.has(NO_PASSWORD) ? null : String(values.get('password') ?? '') || undefined;
    const chosenPanels = panels.filter((panel) => values.has(panel));
    const input = {
      name,
      isShared,
      // Those that were there stay in their order.
      panels: [...listed.filter((panel) => chosenPanels.includes(panel)), ...chosenPanels.filter((panel) => !listed.includes(panel))],
      // What is folded was not looked at.
      ...(values.has('embedOrigins') && { password, showsDestinations: values.has('showsDestinations'), embedOrigins: origins, expiresAt: end ? momentOf(end) : null }),
    };
    const { data, problem } = report
      ? await mutate(UPDATE, { id: report.id, input: version.of(input) })
      : await mutate(CREATE, { input: { ...clicksOf(chosen!.view, chosen!.range), ...input, linkId } }, ['Report']);
    if (problem) return withOrigins(version.told(problem)!, origins);
    const saved = 'createReport' in data ? data.createReport : data.updateReport;
    if (saved.url && saved.url !== report?.url) setUrl(saved.url);
    else {
      say(naming(words.done, name));
      onClose();
    }
    return undefined;
  }

  return (
    <Dialog title={url ? words.ready : report ? words.edit : words.save} onClose={onClose} keepsInput={!url}>
      {url ? (
        <Shared url={url} onClose={onClose} />
      ) : (
        <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
          {chosen && <p class="muted">{words.time(timeText(chosen.view))}</p>}
          <Field name="name" label={words.name} value={report?.name} rule={CreateReportInput.name} hasFocus isProse />
          <Check name="isShared" label={words.share} hint={words.shareHint} isOn={report?.isShared ?? true} />
          <fieldset>
            <legend>{words.panels}</legend>
            <div class="report-panels">
              {panels.map((panel) => (
                <Check key={panel} name={panel} label={panelTitle(panel, t)} isOn={listed.includes(panel)} />
              ))}
            </div>
          </fieldset>
          <Fold
            label={words.more}
            isOpenFirst={isUnusual}
            content={() => (
              <>
                <Check name="showsDestinations" label={words.destinations} isOn={report?.showsDestinations} />
                <Field
                  name="expiresAt"
                  type="datetime-local"
                  label={words.end}
                  hint={words.zone(timeZone())}
                  value={minuteOf(report?.expiresAt ?? null)}
                  isOptional
                />
                <Field
                  name="password"
                  label={words.password}
                  hint={report?.hasPassword ? words.newPasswordHint : words.passwordHint}
                  rule={CreateReportInput.password}
                />
                {report?.hasPassword && <Check name={NO_PASSWORD} label={words.noPassword} />}
                <TextArea name="embedOrigins" label={words.origins} hint={words.originsHint} value={report?.embedOrigins.join('\n')} isOptional />
              </>
            )}
          />
          {!report && (
            <a class="small" href="/app/reports" onClick={onClose}>
              {words.all}
            </a>
          )}
        </Form>
      )}
    </Dialog>
  );
}
