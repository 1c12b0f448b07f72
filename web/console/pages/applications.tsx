import { useEffect, useState } from 'preact/hooks';
import { Badge, Card, customTexts, Facts, Field, Name, PageHead, SearchField, Tabs, textFacts } from '../components.tsx';
import { ActionDialog, Dialog } from '../dialog.tsx';
import { formatDateTime, shortenName } from '../format.ts';
import { CouponLink } from '../links.tsx';
import { Loaded, requireStatus, useLoad } from '../load.tsx';
import { registrationStatuses } from '../program-words.ts';
import type { Registration } from '../records.ts';
import { getChoice, getQuery, hrefWith, setSearch } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

type Decision = 'accepted' | 'declined';

interface Open {
  readonly registration: Registration;
  readonly decision: Decision | null;
}

/** People who want to become affiliates. */
export function Applications() {
  const search = getQuery('search');
  // A search covers all, until one status is chosen.
  const status = getChoice('status', { ...registrationStatuses, all: null }) ?? (search === '' ? 'pending' : 'all');
  const [open, setOpen] = useState<Open | null>(null);
  const [version, setVersion] = useState(0);
  // Not another one that was opened since.
  const close = (): void => setOpen((current) => (current === open ? null : current));
  const columns = listColumns(setOpen).filter(({ title }) => title !== 'Decision' || status === 'all');
  const filter = { search, ...(status !== 'all' && { status }) };
  const tabs = Object.entries({ ...registrationStatuses, all: { label: 'All' } }).map(([name, { label }]) => ({
    text: label,
    href: hrefWith({ status: name, page: null }),
    isCurrent: name === status,
  }));
  return (
    <>
      <PageHead title="Applications" lead="People who want to become affiliates." />
      <Card>
        <Tabs label="Decision" items={tabs} />
        <div class="filters">
          <SearchField label="Name, e-mail or code" value={search} onChange={setSearch} />
        </div>
        <Table
          name="Applications"
          columns={columns}
          load={({ page, per_page }) => api.registrations.list({ page, per_page, ...filter })}
          keys={[search, status, version]}
          keyOf={({ id }) => id}
          empty={status === 'pending' && search === '' ? 'No application waits for a decision.' : 'No application matches.'}
        />
      </Card>
      {open?.decision && <DecisionDialog {...open} decision={open.decision} onEnd={() => setVersion(version + 1)} onClose={close} />}
      {open && !open.decision && (
        <Dialog title={open.registration.applicant.display_name} onClose={close}>
          <ApplicationFacts registration={open.registration} />
        </Dialog>
      )}
    </>
  );
}

/** An accepted application stays accepted; a declined one can still be accepted. */
const decisionsOf = ({ status }: Registration): Decision[] =>
  !isServed('post_registrations_id_status') || status === 'accepted' ? [] : status === 'declined' ? ['accepted'] : ['accepted', 'declined'];

const listColumns = (open: (open: Open) => void): Column<Registration>[] => [
  {
    title: 'Applicant',
    cell: (registration) => (
      <div>
        <button type="button" class="link" onClick={() => open({ registration, decision: null })}>
          <Name>{registration.applicant.display_name || registration.applicant.login}</Name>
        </button>
        <p class="small quiet clipped" title={registration.applicant.email}>
          <bdi>{registration.applicant.email}</bdi>
        </p>
      </div>
    ),
    csv: ({ applicant }) => applicant.display_name,
    place: 'name',
  },
  { title: 'E-mail', isFileOnly: true, cell: () => null, csv: ({ applicant }) => applicant.email },
  { title: 'Wanted code', cell: ({ coupon_code }) => <Name>{coupon_code}</Name>, csv: ({ coupon_code }) => coupon_code, place: 'detail' },
  { title: 'Website', cell: ({ website }) => <Name>{website}</Name>, csv: ({ website }) => website },
  { title: 'Sent', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'Decision', cell: ({ status }) => <Badge of={registrationStatuses[status]} />, csv: ({ status }) => status, place: 'state' },
  {
    title: '',
    cell: (registration) => (
      <div class="actions">
        {decisionsOf(registration).map((decision) => (
          <button
            key={decision}
            type="button"
            class="plain"
            aria-label={`${decision === 'accepted' ? 'Accept' : 'Decline'} ${registration.applicant.display_name}`}
            onClick={() => open({ registration, decision })}
          >
            {decision === 'accepted' ? 'Accept' : 'Decline'}
          </button>
        ))}
      </div>
    ),
  },
];

const ApplicationFacts = ({ registration: { applicant, ...registration } }: { registration: Registration }) => (
  <Facts
    of={[
      ...textFacts([
        ['Login', applicant.login],
        ['E-mail', applicant.email],
        ['Wanted code', registration.coupon_code],
        ['Website', registration.website],
        ['Will promote by', registration.promote],
        ['Heard of the program from', registration.referrer],
        ...customTexts(registration.custom_fields),
        ['Sent', formatDateTime(registration.date)],
      ]),
      ...(registration.status === 'pending' ? [] : [['Decision', <Badge of={registrationStatuses[registration.status]} />] as const]),
      ...textFacts([['Message', registration.message]]),
      ...(registration.coupon_id
        ? [['Coupon', <CouponLink id={registration.coupon_id} code={`#${registration.coupon_id}`} />] as const]
        : []),
    ]}
  />
);

interface DecisionDialogProps {
  registration: Registration;
  decision: Decision;
  /** Called after a decision and after a refusal: another admin may have decided. */
  onEnd: () => void;
  onClose: () => void;
}

function DecisionDialog({ registration, decision, onEnd, onClose }: DecisionDialogProps) {
  const isAccepted = decision === 'accepted';
  const [message, setMessage] = useState(isAccepted ? 'Welcome to the program!' : '');
  const [isSent, setSent] = useState(true);
  const { display_name, email } = registration.applicant;
  const { id, status } = registration;
  const send = async (): Promise<unknown> => {
    if (isServed('get_registrations_id')) requireStatus(status, await api.registrations.get(id), registrationStatuses);
    return api.registrations.setStatus(id, { status: decision, message, send_email: isSent });
  };
  const decide = async (): Promise<void> => {
    await send().finally(onEnd);
    showToast(`${shortenName(display_name)} is ${decision}.`, { href: `/console/applications?status=${decision}`, text: 'Show' });
  };
  return (
    <ActionDialog
      title={isAccepted ? `Accept ${display_name}?` : `Decline ${display_name}?`}
      action={isAccepted ? 'Accept' : 'Decline'}
      isDangerous={!isAccepted}
      onSubmit={decide}
      onClose={onClose}
    >
      <p>
        {isAccepted
          ? 'The applicant becomes an affiliate and gets a coupon. This cannot be undone here.'
          : 'The applicant does not become an affiliate. You can still accept later.'}
      </p>
      <ApplicationFacts registration={registration} />
      <Field label="Message to the applicant" hint="It is part of the e-mail, as you write it.">
        {(id) => <textarea id={id} maxLength={5000} value={message} onInput={({ currentTarget }) => setMessage(currentTarget.value)} />}
      </Field>
      <label class="check">
        <input type="checkbox" checked={isSent} onChange={({ currentTarget }) => setSent(currentTarget.checked)} />
        <span>
          Send the decision and the message to <Name>{email}</Name>
        </span>
      </label>
      {isSent && isServed('post_registrations_id_preview') && <MailPreview id={registration.id} decision={decision} message={message} />}
    </ActionDialog>
  );
}

/** The mail as the service would send it. Follows the message when the reader stops typing. */
export function MailPreview({ id, decision, message }: { id: number; decision: Decision; message: string }) {
  const [shown, setShown] = useState(message);
  useEffect(() => {
    const timer = setTimeout(() => setShown(message), 500);
    return () => clearTimeout(timer);
  }, [message]);
  const mail = useLoad(() => api.registrations.preview(id, { status: decision, message: shown }), [shown]);
  return (
    <section class="mail" aria-label="Preview of the e-mail">
      <h3>The e-mail</h3>
      <Loaded from={mail}>
        {({ from, to, subject, text }) => (
          <>
            <Facts
              of={[
                ['From', <MailAddress of={from} />],
                ['To', <MailAddress of={to} />],
                ['Subject', <Name>{subject}</Name>],
              ]}
            />
            <p class="mail-text" dir="auto">
              {text}
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

const MailAddress = ({ of: { name, address } }: { of: { name: string; address: string } }) => (
  <>
    <Name>{name}</Name> <Name>{`<${address}>`}</Name>
  </>
);
