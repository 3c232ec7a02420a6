import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  title: string;
  hint: string;
  class?: string;
  children: ComponentChildren;
}

/** One subject of the settings: what it is about beside what can be set. */
export function Section({ title, hint, class: className, children }: SectionProps) {
  const id = useId();
  return (
    <section class={className ? `settings-section ${className}` : 'settings-section'} aria-labelledby={id}>
      <div class="settings-about">
        <h2 id={id}>{title}</h2>
        <p class="muted small">{hint}</p>
      </div>
      <div class="card settings-card">{children}</div>
    </section>
  );
}
