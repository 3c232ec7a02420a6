// Words of all parts use it: with the frame, none of them brings along what else would be joined with it.
import './plural.ts';

/**
 * The words, in parts: of each, a file in the language in force is fetched. Everybody has those of the frame; a page names the
 * others that it needs in `shell/app.tsx`, and build.mjs compares.
 */
export const PARTS = {
  frame: { en: () => import('./en.ts'), de: () => import('./de.ts') },
  access: { en: () => import('../access/en.ts'), de: () => import('../access/de.ts') },
  analytics: { en: () => import('../analytics/en.ts'), de: () => import('../analytics/de.ts') },
  apps: { en: () => import('../apps/en.ts'), de: () => import('../apps/de.ts') },
  billing: { en: () => import('../billing/en.ts'), de: () => import('../billing/de.ts') },
  breakdown: { en: () => import('../analytics/listed/en.ts'), de: () => import('../analytics/listed/de.ts') },
  card: { en: () => import('../card/en.ts'), de: () => import('../card/de.ts') },
  developers: { en: () => import('../developers/en.ts'), de: () => import('../developers/de.ts') },
  domains: { en: () => import('../domains/en.ts'), de: () => import('../domains/de.ts') },
  help: { en: () => import('../help/en.ts'), de: () => import('../help/de.ts') },
  imports: { en: () => import('../imports/en.ts'), de: () => import('../imports/de.ts') },
  keys: { en: () => import('../shell/keys/en.ts'), de: () => import('../shell/keys/de.ts') },
  linkForms: { en: () => import('../links/forms/en.ts'), de: () => import('../links/forms/de.ts') },
  linkList: { en: () => import('../links/listed/en.ts'), de: () => import('../links/listed/de.ts') },
  linkPage: { en: () => import('../links/shown/en.ts'), de: () => import('../links/shown/de.ts') },
  links: { en: () => import('../links/en.ts'), de: () => import('../links/de.ts') },
  members: { en: () => import('../members/en.ts'), de: () => import('../members/de.ts') },
  reportForms: { en: () => import('../analytics/forms/en.ts'), de: () => import('../analytics/forms/de.ts') },
  rules: { en: () => import('../rules/en.ts'), de: () => import('../rules/de.ts') },
  session: { en: () => import('../session/en.ts'), de: () => import('../session/de.ts') },
  settings: { en: () => import('../settings/en.ts'), de: () => import('../settings/de.ts') },
  steps: { en: () => import('../overview/steps/en.ts'), de: () => import('../overview/steps/de.ts') },
  tagList: { en: () => import('../tags/listed/en.ts'), de: () => import('../tags/listed/de.ts') },
  tags: { en: () => import('../tags/en.ts'), de: () => import('../tags/de.ts') },
  transfers: { en: () => import('../transfers/en.ts'), de: () => import('../transfers/de.ts') },
  visitors: { en: () => import('../visitors/en.ts'), de: () => import('../visitors/de.ts') },
};

export type Part = keyof typeof PARTS;
