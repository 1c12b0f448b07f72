import { useId, useState } from 'preact/hooks';
import { isCountry } from '../../domain/payout-details/country.ts';
import { findIbanProblem, normalizeIban } from '../../domain/payout-details/iban.ts';
import { filledFields } from './affiliate-forms.tsx';
import { Card, Name, Select } from './components.tsx';
import { withConfirmedPassword } from './confirm-password.tsx';
import { countriesByName, nameCountry } from './countries.ts';
import { FormDialog, TextField } from './form.tsx';
import { Loaded, useLoad } from './load.tsx';
import type { OwnPayoutDetails, PayoutDetailsField } from './records.ts';
import { api, getMe } from './session.ts';

/** How the reader is paid. */
export function PayoutDetailsCard() {
  const details = useLoad(() => api.me.payoutDetails(), []);
  const [isOpen, setOpen] = useState(false);
  const isOffered = details.value !== undefined && details.value.methods.length > 0;
  const change = isOffered && (
    <button type="button" class="plain" aria-label="Change your payout details" onClick={() => setOpen(true)}>
      {details.value?.saved ? 'Change' : 'Choose a method'}
    </button>
  );
  return (
    <Card title="Payout details" actions={change}>
      <Loaded from={details}>
        {(loaded) => (
          <>
            <Saved details={loaded} />
            {isOpen && <PayoutDetailsDialog details={loaded} onSaved={details.reload} onClose={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface PayoutDetailsDialogProps {
  details: OwnPayoutDetails;
  onSaved: () => void;
  onClose: () => void;
}

function PayoutDetailsDialog({ details: { methods, saved }, onSaved, onClose }: PayoutDetailsDialogProps) {
  const [chosen, setChosen] = useState(saved?.method_type ?? methods[0]?.method_type);
  const [iban, setIban] = useState('');
  const method = methods.find(({ method_type }) => method_type === chosen) ?? methods[0];
  if (!method) return null;
  const { method_type, fields } = method;
  const save = async (form: FormData): Promise<string> => {
    await withConfirmedPassword(() => api.me.replacePayoutDetails({ method_type, details: filledFields(form) }));
    onSaved();
    return `Saved. A mail to ${getMe().user.email} confirms it.`;
  };
  return (
    <FormDialog title="Change your payout details" action="Save payout details" onSubmit={save} onClose={onClose}>
      {(problemOf) => (
        <>
          <Select
            label="Method"
            value={method_type}
            options={methods.map(({ method_type: value, label }) => [value, label] as const)}
            onChange={(value) => setChosen(value as typeof method_type)}
          />
          {fields.map((field) => (
            <DetailsField
              key={`${method_type} ${field.name}`}
              field={field}
              problem={problemOf(`details.${field.name}`, field.label)}
              iban={iban}
              onIban={setIban}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}

function Saved({ details: { methods, saved } }: { details: OwnPayoutDetails }) {
  if (methods.length === 0 && !saved) return <p class="empty">The store offers no payout method at the moment.</p>;
  if (!saved) return <p>Nothing is saved yet, so you cannot be paid. Choose a method.</p>;
  const { method, method_type, has_details, hint } = saved;
  return (
    <>
      <p>
        You are paid by <Name>{method}</Name>
        {hint && (hint.includes('@') ? `, ${hint}` : `, ending in ${hint}`)}. {has_details && 'What you saved is never shown in full.'}
        {!has_details && method_type !== 'credit' && 'Where to send the money is not saved yet.'}
      </p>
      {!methods.some((offered) => offered.method_type === method_type) && (
        <p class="notice bad-notice">The store no longer offers this method. Choose another one.</p>
      )}
    </>
  );
}

interface DetailsFieldProps {
  field: PayoutDetailsField;
  /** What the service says is wrong. */
  problem: string | undefined;
  /** As typed so far. */
  iban: string;
  onIban: (text: string) => void;
}

function DetailsField(props: DetailsFieldProps) {
  const { field, problem } = props;
  const { name, label, required, format, max_length, hint } = field;
  if (format === 'iban') return <IbanField {...props} />;
  if (format === 'country') return <CountryField {...props} />;
  const type = format === 'email' ? 'email' : 'text';
  return <TextField name={name} label={label} type={type} required={required} maxLength={max_length} hint={hint} problem={problem} />;
}

/** Checked while it is typed; marked as wrong once it is left. */
function IbanField({ field: { name, label, required, hint }, problem, iban: text, onIban }: DetailsFieldProps) {
  const [isLeft, setLeft] = useState(false);
  const found = text === '' ? null : findIbanProblem(normalizeIban(text));
  const sentence = found === null ? 'This is a valid IBAN.' : `${label} ${found}.`;
  const isWrong = found !== null && isLeft;
  const texts = text === '' ? { hint, problem } : isWrong ? { problem: sentence } : { hint: sentence };
  // With room for spaces.
  return (
    <TextField name={name} label={label} required={required} maxLength={60} {...texts} onType={onIban} onLeave={() => setLeft(true)} />
  );
}

/** That of the IBAN, until another one is chosen. */
function CountryField({ field: { name, label, required }, problem, iban }: DetailsFieldProps) {
  const [chosen, setChosen] = useState<string>();
  const id = useId();
  const ofIban = normalizeIban(iban).slice(0, 2);
  const value = chosen ?? (isCountry(ofIban) ? ofIban : '');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        required={required}
        value={value}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {['', ...countriesByName].map((code) => (
          <option key={code} value={code} selected={code === value}>
            {code === '' ? 'Choose a country' : nameCountry(code)}
          </option>
        ))}
      </select>
      {problem && (
        <p id={`${id}-problem`} class="hint bad">
          {problem}
        </p>
      )}
    </div>
  );
}
