// The query of a page's address, which has what the page shows. A parameter that has its usual value is left out.
import type { Signal } from '@preact/signals';

interface Parameter<Value> {
  /** Takes whatever somebody may have written there. */
  read(text: string | undefined): Value;
  /** Empty: the usual value. */
  write(value: Value): string;
}

export const text: Parameter<string> = { read: (given = '') => given, write: (value) => value };

/** One of several values that stand between commas. */
export const escaped = (value: string): string => value.replace(/[,\\]/g, '\\$&');

/** One of these; the first is usual, unless another one is named. */
export const oneOf = <Value extends string>(values: readonly Value[], usual: Value = values[0]!): Parameter<Value> => ({
  read: (given) => values.find((each) => each === given) ?? usual,
  write: (value) => (value === usual ? '' : value),
});

/** A whole number; the least is usual. */
export const number = (least: number, most = Infinity): Parameter<number> => ({
  read: (given = '') => Math.min(Math.max(least, Number.parseInt(given, 10) || least), most),
  write: (value) => (value === least ? '' : String(value)),
});

/** One of these, as it was chosen last; an address that says something else wins. */
export const remembered = <Value extends string>(choice: Signal<Value>, values: readonly Value[]): Parameter<Value> => ({
  read: (given) => values.find((each) => each === given) ?? choice.value,
  // An address that leads to what is not usual says so for others too, whatever they chose.
  write: (value) => (value === values[0] && value === choice.value ? '' : value),
});

/** Which page of a list. */
export const page = number(1);

/** The parameters of a page's address, by name. `write` makes the address with these values, and the usual ones of all others. */
export function addressed<Values extends Record<string, unknown>>(parameters: { [Name in keyof Values]: Parameter<Values[Name]> }) {
  const names = Object.keys(parameters) as (keyof Values & string)[];
  return {
    read: (query: Record<string, string | undefined>) =>
      Object.fromEntries(names.map((name) => [name, parameters[name].read(query[name])])) as Values,
    write(path: string, values: Partial<Values>): string {
      const written = names.map((name) => [name, name in values ? parameters[name].write(values[name]!) : '']);
      const said = new URLSearchParams(written.filter(([, value]) => value !== ''));
      return said.size > 0 ? `${path}?${said}` : path;
    },
  };
}

/** The address of a list that has pages and nothing else. */
export const paged = addressed({ page });
