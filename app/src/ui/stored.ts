import { effect, signal, type Signal } from '@preact/signals';

/** A choice of this browser that outlives the page. Never a credential. */
export function stored<Value extends string>(name: string, initial: Value): Signal<Value> {
  const key = `linkgraph.${name}`;
  const value = signal((localStorage.getItem(key) as Value | null) ?? initial);
  effect(() => {
    if (value.value === initial) localStorage.removeItem(key);
    else localStorage.setItem(key, value.value);
  });
  return value;
}
