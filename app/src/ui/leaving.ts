import { useEffect } from 'preact/hooks';

/** Has the browser ask whoever closes the page, or leaves the application, while something would be lost. */
export function useWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOn]);
}
