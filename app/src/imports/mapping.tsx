import type { DateFormat, ImportField } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Select } from '../ui/field.tsx';
import { naming } from '../ui/naming.tsx';
import { Table } from '../ui/table.tsx';
import { type Encoding, ENCODINGS } from './encoding.ts';
import { COLUMNS, type Look } from './preview.ts';

/** Those that people keep in tables; the others are of services, which have columns of their own. */
const FIELDS = [
  'DESTINATION_URL',
  'SLUG',
  'SHORT_URL',
  'DOMAIN',
  'TITLE',
  'NOTES',
  'TAGS',
  'CREATED_AT',
  'STARTS_AT',
  'EXPIRES_AT',
  'EXPIRED_URL',
  'MAX_CLICKS',
  'CLICK_COUNT',
  'IS_ACTIVE',
  'IS_ARCHIVED',
  'FORWARDS_QUERY',
  'PASSWORD',
  'ASKS_FIRST',
  'NOTICE',
  'CARD_TITLE',
  'CARD_DESCRIPTION',
  'CARD_IMAGE_URL',
  'APP_IOS_URI',
  'APP_IOS_STORE_URL',
  'APP_ANDROID_URI',
  'APP_ANDROID_PACKAGE',
  'APP_DATA',
  'EXTERNAL_ID',
] as const satisfies ImportField[];
const DATE_FORMATS = ['DMY', 'MDY', 'YMD'] as const satisfies DateFormat[];

interface MappingProps {
  look: Look;
  onEncoding(encoding: Encoding): void;
  /** Another choice of columns or dates. */
  onChoice(look: Look): void;
}

/** What each column is about, with the first rows, each column in a line, so that a narrow page has room for it. */
function Columns({ look, onChoice }: Pick<MappingProps, 'look' | 'onChoice'>) {
  const { preview, fields } = look;
  const its = t.imports.columns;
  const names: Partial<Record<ImportField, string>> = t.imports.fields;
  const choose = (at: number, field: ImportField | '') =>
    onChoice({ ...look, fields: fields.map((old, other) => (other === at ? field || null : old)) });
  return (
    <Table
      caption={its.title}
      class="import-columns"
      head={[its.column, its.field, its.values].map((head) => (
        <th key={head} scope="col">
          {head}
        </th>
      ))}
    >
      {preview.columns.map(({ name, values }, at) => {
        const label = preview.hasHeader === false ? its.number(name) : name;
        return (
          <tr key={at}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td>
              <Select
                isBare
                name={at === 0 ? COLUMNS : undefined}
                label={naming(its.about, label)}
                value={fields[at] ?? ''}
                onChange={(field) => choose(at, field)}
                options={[
                  { value: '' as ImportField | '', label: its.leaveOut },
                  ...FIELDS.map((value) => ({ value, label: names[value] ?? value })),
                ]}
              />
            </td>
            <td>
              {values.map((value, row) => (
                <div key={row} class="import-value" dir="auto">
                  {value || ' '}
                </div>
              ))}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** What a chosen file is taken for, and the choices that change it. */
export default function Mapping({ look, onEncoding, onChoice }: MappingProps) {
  const { encoding, isTable, preview, dateFormat } = look;
  const { columns, dates, encodings } = t.imports;
  const hasDates = preview.hasUnsureDates || preview.dateFormat !== null || dateFormat !== null;
  return (
    <div class="imports">
      {isTable && <p>{preview.hasHeader === false ? columns.headless : columns.hint}</p>}
      {isTable && <Columns look={look} onChoice={onChoice} />}
      {(encoding !== 'utf-8' || hasDates) && (
        <div class="field-row">
          {encoding !== 'utf-8' && (
            <Select
              label={encodings.title}
              hint={encodings.hint}
              value={encoding}
              onChange={onEncoding}
              options={ENCODINGS.map((value) => ({ value, label: encodings.names[value] }))}
            />
          )}
          {hasDates && (
            <Select
              label={dates.title}
              hint={preview.hasUnsureDates ? dates.unsure : undefined}
              value={dateFormat ?? ''}
              onChange={(chosen) => onChoice({ ...look, dateFormat: chosen || null })}
              options={[
                { value: '' as DateFormat | '', label: preview.dateFormat && !dateFormat ? dates.found(dates.names[preview.dateFormat]) : dates.findOut },
                ...DATE_FORMATS.map((value) => ({ value, label: dates.names[value] })),
              ]}
            />
          )}
        </div>
      )}
    </div>
  );
}
