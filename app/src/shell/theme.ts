import { effect } from '@preact/signals';
import type { IconName } from '../ui/icons.tsx';
import { stored } from '../ui/stored.ts';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: Theme[] = ['system', 'light', 'dark'];
export const THEME_ICONS: Record<Theme, IconName> = { system: 'system', light: 'sun', dark: 'moon' };
export const theme = stored<Theme>('theme', 'system');

/** `first.ts` does the same before the first paint. */
effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
});
