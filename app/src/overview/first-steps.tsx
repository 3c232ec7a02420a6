import { t } from '../i18n/index.ts';
import type { Scope } from '../session/role.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';

interface StepProps {
  title: string;
  hint: string;
  href: string;
  label: string;
  isFirst?: boolean;
  isDone?: boolean;
  needs?: Scope;
}

function Step({ title, hint, href, label, isFirst, isDone, needs }: StepProps) {
  return (
    <li class="card step">
      <div class="step-text">
        <h2>{title}</h2>
        <p class="muted">{hint}</p>
      </div>
      {isDone ? (
        <span class="done">
          <Icon name="check" />
          {t.steps.done}
        </span>
      ) : (
        <LinkButton needs={needs} kind={isFirst ? 'primary' : 'plain'} href={href}>
          {label}
        </LinkButton>
      )}
    </li>
  );
}

/** In the place of the figures, as long as there is nothing to count: what to do first. */
export function FirstSteps({ hasDomain, hasKey }: { hasDomain: boolean; hasKey: boolean }) {
  const { link, domain, key, title } = t.steps;
  return (
    <section class="steps" aria-label={title}>
      <p>{title}</p>
      <ol>
        <Step {...link} href="/app/links/new" isFirst />
        <Step {...domain} href="/app/domains" needs="DOMAINS_MANAGE" isDone={hasDomain} />
        <Step {...key} href="/app/developers" isDone={hasKey} />
      </ol>
    </section>
  );
}
