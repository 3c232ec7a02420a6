// How the values of dimensions are read.
import { formatCountry, formatLanguage } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Dimension } from './conditions.ts';

/** `DE-BY` or `DE:Munich`: a part of a country. */
const formatPlace = (value: string): string => {
  const [, country, part] = /^([A-Z]{2})[-:](.+)$/su.exec(value) ?? [];
  return country ? `${part}, ${formatCountry(country)}` : value;
};

export const READ: Partial<Record<Dimension, (value: string) => string>> = {
  country: formatCountry,
  region: formatPlace,
  city: formatPlace,
  language: formatLanguage,
  device: (value) => t.devices[value] ?? value,
  trigger: (value) => t.analytics.opened[value] ?? value,
  channel: (value) => t.analytics.channel[value] ?? value,
  destination: (value) => t.analytics.destination(value),
};

/** In the place of the value of clicks that have none. Of some dimensions it is known that there was none. */
export function unknownOf(dimension: Dimension): string {
  if (dimension.startsWith('utm')) return t.analytics.none;
  return dimension === 'referrer' || dimension === 'source' ? t.analytics.direct : t.analytics.unknown;
}

/** Whether a dimension tells something of clicks that have these values: only a file of cities tells regions and cities. */
export const isTold = (dimension: Dimension, list?: { values: unknown[] }): boolean =>
  (dimension !== 'region' && dimension !== 'city') || (list?.values.length ?? 0) > 0;
