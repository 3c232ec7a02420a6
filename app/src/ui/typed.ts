import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Asks for what is typed, once nothing more is for so many milliseconds. Only the newest question counts: the answer to an older one,
 * or to one of a part of the page that is gone, is dropped. Without an answer, the one before stays.
 */
export function useTyped<Typed, Answer = never>(ask: (typed: Typed) => Promise<Answer | undefined>, ms: number) {
  const [answer, setAnswer] = useState<Answer>();
  const newest = useRef(0);
  const drop = () => {
    clearTimeout(newest.current);
    newest.current = 0;
  };
  useEffect(() => drop, []);
  return {
    answer,
    type(typed: Typed) {
      drop();
      const own = setTimeout(async () => {
        const found = await ask(typed);
        if (newest.current === own && found !== undefined) setAnswer(found);
      }, ms);
      newest.current = own;
    },
    /** There is no question, and no answer. */
    forget() {
      drop();
      setAnswer(undefined);
    },
  };
}
