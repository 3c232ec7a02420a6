import { tag } from '../i18n/index.ts';

/** An amount in the currency's minor unit; whole ones without their zeros, as prices are written. */
export function formatMoney(minor: number, currency: string, isPrice = false): string {
  const options = { style: 'currency', currency } as const;
  const digits = new Intl.NumberFormat(tag(), options).resolvedOptions().maximumFractionDigits ?? 2;
  const amount = minor / 10 ** digits;
  const fraction = isPrice && Number.isInteger(amount) ? 0 : digits;
  return new Intl.NumberFormat(tag(), { ...options, minimumFractionDigits: fraction, maximumFractionDigits: fraction }).format(amount);
}

/** “30 days”, “3 years” */
export function formatDays(days: number): string {
  const [count, unit] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return new Intl.NumberFormat(tag(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
