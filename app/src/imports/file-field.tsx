import { useContext } from 'preact/hooks';
import { FieldFrame, FormContext } from '../ui/field.tsx';

interface FileFieldProps {
  name: string;
  label: string;
  hint: string;
  accept: string;
  onChoose(file: File | undefined): void;
}

/** For a file, which may be dropped on it: browsers take that by themselves. */
export function FileField({ name, label, hint, accept, onChoose }: FileFieldProps) {
  const { clear } = useContext(FormContext);
  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(shared) => (
        <input
          {...shared}
          type="file"
          name={name}
          accept={accept}
          onChange={(event) => {
            clear(name);
            onChoose(event.currentTarget.files?.[0]);
          }}
        />
      )}
    </FieldFrame>
  );
}
