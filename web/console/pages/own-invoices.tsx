import { useState } from 'preact/hooks';
import { Badge, Card, Field, Name, PageHead, Select } from '../components.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { handIn, type Invoice, invoiceUrl, loadInvoices } from '../invoices.ts';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { getQuery } from '../router.ts';
import { getMe } from '../session.ts';
import { type Column, loadWhole, Table } from '../table.tsx';
import { invoiceKinds, invoiceStates } from '../words.ts';

const formatSize = (bytes: number): string => `${formatNumber(Math.max(0.1, Math.round(bytes / 100_000) / 10))} MB`;

const columns: readonly Column<Invoice>[] = [
  {
    title: 'Invoice',
    cell: ({ id }) => (
      <a href={invoiceUrl(id)} target="_self">
        #{id}
      </a>
    ),
    csv: ({ id }) => id,
    place: 'name',
  },
  { title: 'Handed in', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'Coupon', cell: ({ coupon_code }) => <Name>{coupon_code}</Name>, csv: ({ coupon_code }) => coupon_code, place: 'detail' },
  { title: 'File', cell: ({ type, size }) => `${invoiceKinds[type] ?? type}, ${formatSize(size)}`, csv: ({ type }) => type },
  {
    title: 'State',
    cell: ({ payout_id }) => (
      <>
        <Badge of={payout_id === 0 ? invoiceStates.waiting : invoiceStates.used} />
        {payout_id > 0 && ` Payout #${payout_id}`}
      </>
    ),
    csv: ({ payout_id }) => payout_id,
    place: 'value',
  },
];

/** Handing in invoices, and what became of them. */
export function OwnInvoices() {
  const [version, setVersion] = useState(0);
  const own = useLoad(loadInvoices, [version]);
  return (
    <>
      <PageHead title="Invoices" lead="The store needs an invoice for each payout. The next payout of the coupon takes it." />
      <Loaded from={own}>
        {({ is_needed, max_bytes, invoices }) => (
          <>
            <Card title="Hand in an invoice">
              {is_needed ? (
                <HandInForm maxBytes={max_bytes} onDone={() => setVersion(version + 1)} />
              ) : (
                <p class="empty">Your payout method needs no invoice.</p>
              )}
            </Card>
            <Card title="Your invoices">
              <Table
                name="Invoices"
                columns={columns}
                load={loadWhole(invoices)}
                keys={[version, invoices.length]}
                keyOf={({ id }) => id}
                empty="You have handed in no invoice yet."
              />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function HandInForm({ maxBytes, onDone }: { maxBytes: number; onDone: () => void }) {
  const { coupons } = getMe();
  const [couponId, setCouponId] = useState(Number(getQuery('coupon')) || (coupons[0]?.id ?? 0));
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number | null>(null);
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState<Invoice>();
  const isTooLarge = file !== undefined && file.size > maxBytes;
  const choose = (chosen: File | undefined): void => {
    setFile(chosen);
    setError(undefined);
    setDone(undefined);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer?.files[0]);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!file) return;
    const form = event.currentTarget as HTMLFormElement;
    setPercent(0);
    setError(undefined);
    try {
      setDone(await handIn(file, couponId, setPercent));
      setFile(undefined);
      form.reset();
      onDone();
    } catch (failure) {
      setError(failure);
    }
    setPercent(null);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  if (coupons.length === 0) return <p class="empty">No coupon is assigned to you at the moment.</p>;
  return (
    <form class={isOver ? 'drop over' : 'drop'} onSubmit={submit} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      {coupons.length > 1 && (
        <Select
          label="Coupon"
          value={String(couponId)}
          options={coupons.map(({ id, code }) => [String(id), code] as const)}
          onChange={(value) => setCouponId(Number(value))}
        />
      )}
      <Field label="File" hint={`Choose a PDF, PNG or JPEG file of at most ${formatSize(maxBytes)}, or drop it here.`}>
        {(id) => (
          <input
            id={id}
            type="file"
            accept="application/pdf,image/png,image/jpeg"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {file && (
        <p role="status">
          <Name>{file.name}</Name>, {formatSize(file.size)}
        </p>
      )}
      {isTooLarge && (
        <p class="notice bad-notice" role="alert">
          The file is too large. Save it in a lower quality, then choose it again.
        </p>
      )}
      {percent !== null && <progress aria-label="Sending the file" max={100} value={percent} />}
      {error !== undefined && <ErrorBox error={error} />}
      {done && (
        <p class="notice good-notice" role="status">
          Invoice #{done.id} is handed in. The next payout of <Name>{done.coupon_code}</Name> takes it.{' '}
          <a href="/console/payouts">Request the payout</a>
        </p>
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={!file || isTooLarge || percent !== null}>
          {percent === null ? 'Hand in' : 'Sending …'}
        </button>
      </p>
    </form>
  );
}
