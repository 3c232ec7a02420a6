import { plural } from '../../i18n/plural.ts';

export default {
  card: (title?: string) => `In messengers: ${title ? `“${title}”` : 'as its page'}`,
  app: (opens: boolean) => `On phones: ${opens ? 'opens an app' : 'no app'}`,
  leads: (rules: number, parts: number) =>
    `Where it leads: ${rules === 0 ? 'no rules' : `${rules} ${plural(rules, 'rule', 'rules')}`}${parts > 0 ? `, divided among ${parts} addresses` : ''}`,
  created: (day: string) => `Created ${day}`,
  lastClick: (ago: string) => `Last click ${ago}`,
  neverClicked: 'Never clicked',
  open: 'Open',
  copyDestination: 'Copy the destination',
  missing: 'There is no such link',
  latest: 'Latest clicks',
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  showMore: (count: string) => `Show ${count} more`,
  noClicks: 'No clicks yet',
  noClicksHint: 'Open the short URL, and the first one appears here.',
  when: 'When',
  where: 'Country',
  referrer: 'Referrer',
  browser: 'Browser',
  system: 'System',
  device: 'Device',
  bot: 'Bot',
  unknown: 'Unknown',
  direct: 'Direct',
};
