import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { formatNumber } from '../i18n/format.ts';
import { Tabs } from '../ui/tabs.tsx';
import { ApiTools } from './tools.tsx';

interface FrameProps {
  current: 'keys' | 'webhooks';
  used?: { used: number; limit?: number | null };
  action: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of the lists of keys and of webhooks. */
export function DevelopersFrame({ current, used, action, children }: FrameProps) {
  const { tabs, tools } = t.developers;
  return (
    <>
      <header class="page-head">
        <h1>{t.developers.title}</h1>
        {used?.limit != null && (
          <span class="muted">{t.developers[current].used(formatNumber(used.used), used.limit, formatNumber(used.limit))}</span>
        )}
        <div class="page-action">{action}</div>
      </header>
      <Tabs
        label={tabs.label}
        current={current}
        tabs={[
          { id: 'keys', label: tabs.keys, href: '/app/developers' },
          { id: 'webhooks', label: tabs.webhooks, href: '/app/developers/webhooks' },
        ]}
      />
      {children}
      <section aria-label={tools.title} class="tools">
        <ApiTools />
      </section>
    </>
  );
}
