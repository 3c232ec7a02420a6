// The panels of a report, and the dimensions that they are of.
import type { Dimension } from '../analytics/conditions.ts';

/** Of each panel its dimension, and its title in the words of statistics. */
export const PANELS = {
  LINKS: ['link', 'links'],
  COUNTRIES: ['country', 'countries'],
  REGIONS: ['region', 'regions'],
  CITIES: ['city', 'cities'],
  LANGUAGES: ['language', 'languages'],
  SOURCES: ['source', 'sources'],
  CHANNELS: ['channel', 'channels'],
  REFERRERS: ['referrer', 'referrers'],
  UTM_SOURCES: ['utm_source', 'utmSources'],
  UTM_MEDIUMS: ['utm_medium', 'utmMediums'],
  UTM_CAMPAIGNS: ['utm_campaign', 'utmCampaigns'],
  BROWSERS: ['browser', 'browsers'],
  OPERATING_SYSTEMS: ['os', 'operatingSystems'],
  DEVICES: ['device', 'devices'],
  TRIGGERS: ['trigger', 'triggers'],
} as const satisfies Record<string, [Dimension, string]>;

export type Panel = keyof typeof PANELS;
type Titles = Record<Exclude<(typeof PANELS)[Panel][1], 'links'>, string>;

/** The title of a panel. */
export function panelTitle(panel: Panel, { analytics, overview }: { analytics: Titles; overview: { topLinks: string } }): string {
  const [, title] = PANELS[panel];
  return title === 'links' ? overview.topLinks : analytics[title];
}
