import { graphql } from '../api/generated/gql.ts';
import type { InvoiceRowFragment } from '../api/generated/graphql.ts';
import { formatDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Table } from '../ui/table.tsx';
import { formatMoney } from './money.ts';

export const INVOICE_ROW = graphql(`
  fragment InvoiceRow on Invoice {
    id
    number
    status
    currency
    amountDue
    createdAt
    hostedUrl
    pdfUrl
  }
`);

const CHIPS: Record<string, string> = { open: 'chip warning', paid: 'chip accent', uncollectible: 'chip danger' };

function InvoiceRow({ invoice }: { invoice: InvoiceRowFragment }) {
  const words = t.billing.invoices;
  const { number, status, currency, amountDue, createdAt, hostedUrl, pdfUrl } = invoice;
  const name = number ?? words.draft;
  const isOpen = status === 'open';
  const chip = <span class={CHIPS[status] ?? 'chip'}>{words.statuses[status] ?? status}</span>;
  // Where there is no room for their columns, the date and the status stand below what they belong to.
  return (
    <tr data-row>
      <th scope="row">
        {name}
        <span class="cell-below muted small">{formatDay(createdAt)}</span>
      </th>
      <td class="cell-wide">{formatDay(createdAt)}</td>
      <td class="number">
        {formatMoney(amountDue, currency)}
        <span class="cell-below">{chip}</span>
      </td>
      <td class="cell-wide">{chip}</td>
      <td class="cell-links">
        {hostedUrl && (
          <a href={hostedUrl} target="_blank" rel="noreferrer" data-open aria-label={isOpen ? words.payLabel(name) : words.seeLabel(name)}>
            {isOpen ? words.pay : words.see}
          </a>
        )}
        {pdfUrl && <LinkButton kind="quiet" icon="download" href={pdfUrl} isExternal label={words.pdfLabel(name)} />}
      </td>
    </tr>
  );
}

export function Invoices({ invoices }: { invoices: InvoiceRowFragment[] }) {
  const words = t.billing.invoices;
  return (
    <section class="card billing-invoices" aria-labelledby="invoices">
      <h2 id="invoices">{words.title}</h2>
      {invoices.length === 0 ? (
        <p class="muted">{words.empty}</p>
      ) : (
        <Table
          caption={words.label}
          head={
            <>
              <th scope="col">{words.number}</th>
              <th scope="col" class="cell-wide">
                {words.date}
              </th>
              <th scope="col" class="number">
                {words.amount}
              </th>
              <th scope="col" class="cell-wide">
                {words.status}
              </th>
              <th scope="col">
                <span class="hidden">{words.documents}</span>
              </th>
            </>
          }
        >
          {invoices.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </Table>
      )}
    </section>
  );
}
