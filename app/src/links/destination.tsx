// The field of a link's destination.
import { useEffect, useRef } from 'preact/hooks';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form.tsx';
import { useTyped } from '../ui/typed.ts';
import { meantBy } from './address.ts';

const NAME = 'destinationUrl';

/** Whoever goes on typing is not asked. */
const TYPING_MS = 400;

/** Why a destination is not sent before it is known what is meant. */
export function doubtOf(destination: string): Problem | undefined {
  const url = meantBy(destination);
  return url === undefined
    ? undefined
    : { code: '', message: '', details: {}, violations: [{ path: NAME, message: t.linkForms.meant.ask(url) }] };
}

interface DestinationProps {
  typed: string;
  value?: string;
  placeholder?: string;
  onInput(text: string): void;
  /** Several lines were pasted, which a field of one line would join. */
  onMany?: (text: string) => void;
}

export function DestinationField({ typed, value, placeholder, onInput, onMany }: DestinationProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { answer, type, forget } = useTyped(async (text: string) => meantBy(text), TYPING_MS);
  useEffect(() => {
    forget();
    type(typed);
  }, [typed]);
  function take(url: string) {
    const input = frame.current!.querySelector('input')!;
    input.value = url;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    input.focus();
  }
  return (
    <div
      ref={frame}
      class="field-with-hint"
      onPaste={(event) => {
        const text = event.clipboardData?.getData('text').trim() ?? '';
        if (!onMany || !text.includes('\n')) return;
        event.preventDefault();
        onMany(text);
      }}
    >
      <Field
        name={NAME}
        label={t.links.destination}
        value={value}
        inputMode="url"
        placeholder={placeholder}
        rule={CreateLinkInput.destinationUrl}
        onInput={onInput}
        hasFocus
      />
      <p role="status" class={answer ? 'hint meant' : 'hidden'}>
        {answer && (
          <>
            {t.linkForms.meant.did} <Button onClick={() => take(answer)}>{answer}</Button>
          </>
        )}
      </p>
    </div>
  );
}
