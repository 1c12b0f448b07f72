import { useState } from 'preact/hooks';
import { findIbanProblem, normalizeIban } from '../../domain/payout-details/iban.ts';
import { Card, Name, Select } from './components.tsx';
import { withConfirmedPassword } from './confirm-password.tsx';
import { Form, TextField } from './form.tsx';
import { Loaded, useLoad } from './load.tsx';
import type { OwnPayoutDetails, PayoutDetailsField } from './records.ts';
import { api, getMe } from './session.ts';

/** How the reader is paid, and the form that changes it. */
export function PayoutDetailsCard() {
  const details = useLoad(() => api.me.payoutDetails(), []);
  return (
    <Card title="Payout details">
      <Loaded from={details}>{(loaded) => <PayoutDetailsForm loaded={loaded} />}</Loaded>
    </Card>
  );
}

function PayoutDetailsForm({ loaded }: { loaded: OwnPayoutDetails }) {
  const [{ methods, saved }, setDetails] = useState(loaded);
  const [chosen, setChosen] = useState(saved?.method_type ?? methods[0]?.method_type);
  const method = methods.find(({ method_type }) => method_type === chosen) ?? methods[0];
  if (!method) return <p class="empty">The store offers no payout method at the moment.</p>;
  const { method_type, fields } = method;
  const save = async (form: FormData): Promise<string> => {
    const given = fields.map(({ name }) => [name, String(form.get(name) ?? '').trim()] as const).filter(([, text]) => text !== '');
    const change = { method_type, details: Object.fromEntries(given) };
    setDetails(await withConfirmedPassword(() => api.me.replacePayoutDetails(change)));
    return `Saved. A mail to ${getMe().user.email} confirms it.`;
  };
  return (
    <>
      <Saved details={{ methods, saved }} />
      <Form action="Save payout details" isCleared onSubmit={save}>
        {(problemOf) => (
          <>
            <Select
              label="Method"
              value={method_type}
              options={methods.map(({ method_type: value, label }) => [value, label] as const)}
              onChange={(value) => setChosen(value as typeof method_type)}
            />
            {fields.map((field) => (
              <DetailsField key={`${method_type} ${field.name}`} field={field} problem={problemOf(`details.${field.name}`, field.label)} />
            ))}
          </>
        )}
      </Form>
    </>
  );
}

function Saved({ details: { methods, saved } }: { details: OwnPayoutDetails }) {
  if (!saved) return <p>Nothing is saved yet, so you cannot be paid. Choose a method.</p>;
  const { method, method_type, has_details, hint } = saved;
  return (
    <>
      <p>
        You are paid by <Name>{method}</Name>
        {hint && (hint.includes('@') ? `, ${hint}` : `, ending in ${hint}`)}.{' '}
        {has_details && 'What you saved is never shown in full. To change it, fill in all fields.'}
        {!has_details && method_type !== 'credit' && 'Where to send the money is not saved yet.'}
      </p>
      {!methods.some((offered) => offered.method_type === method_type) && (
        <p class="notice bad-notice">The store no longer offers this method. Choose another one.</p>
      )}
    </>
  );
}

/** An IBAN is checked while it is typed. */
function DetailsField({ field, problem }: { field: PayoutDetailsField; problem: string | undefined }) {
  const { name, label, required, format, max_length, hint } = field;
  const [text, setText] = useState('');
  const [isLeft, setLeft] = useState(false);
  const found = format === 'iban' && text !== '' ? findIbanProblem(normalizeIban(text)) : null;
  const sentence = found === null ? undefined : `${label} ${found}.`;
  const checked = format === 'iban' && text !== '' && found === null ? 'This is a valid IBAN.' : hint;
  return (
    <TextField
      name={name}
      label={label}
      type={format === 'email' ? 'email' : 'text'}
      required={required}
      // Spaces of an IBAN do not count.
      maxLength={['text', 'email'].includes(format) ? max_length : 60}
      hint={sentence !== undefined && !isLeft ? sentence : checked}
      problem={sentence === undefined ? (text === '' || format !== 'iban' ? problem : undefined) : isLeft ? sentence : undefined}
      onType={setText}
      onLeave={() => setLeft(text !== '')}
    />
  );
}
