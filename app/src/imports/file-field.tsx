import { useContext } from 'preact/hooks';
import { FieldFrame, FormContext } from '../ui/field.tsx';

/** For a file, which may be dropped on it: browsers take that by themselves. */
export function FileField({ name, label, hint, accept }: { name: string; label: string; hint: string; accept: string }) {
  const { clear } = useContext(FormContext);
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(shared) => <input {...shared} type="file" name={name} accept={accept} onChange={() => clear(name)} />}
    </FieldFrame>
  );
}
