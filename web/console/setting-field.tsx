import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from './components.tsx';
import { countriesByName, nameCountry } from './countries.ts';
import type { Setting } from './records.ts';
import { type CouponTemplate, describeSetting, describeValue, discountTypes, isCouponTemplate, placeSettings, unitOf } from './settings.ts';
import { orderStatuses } from './words.ts';

interface SettingFieldProps {
  setting: Setting;
  /** What the reader entered, or the stored value. */
  value: unknown;
  /** The reader may change settings. */
  isOpen: boolean;
  /** Shows the path, which developers know it by. */
  isTechnical: boolean;
  problem: string | undefined;
  onChange: (value: unknown) => void;
  onLeave: () => void;
}

/** Only the field, for a table whose head and row name it. */
export function SettingCell({ setting, value, isOpen, problem, onChange, onLeave }: Omit<SettingFieldProps, 'isTechnical'>) {
  const id = useId();
  if (!isOpen || setting.locked !== null) return <bdi>{describeValue(value)}</bdi>;
  const common = { 'aria-label': describeSetting(setting).label, 'aria-describedby': `${id}-problem`, 'aria-invalid': markOf(problem) };
  return (
    <div onFocusOut={onLeave}>
      <SettingInput setting={setting} value={value} common={{ id, ...common }} onChange={onChange} />
      <p id={`${id}-problem`} class="hint bad">
        {problem}
      </p>
    </div>
  );
}

const markOf = (problem: string | undefined): 'true' | undefined => (problem ? 'true' : undefined);

/** A setting with its name, what it does, and the field that changes it. */
export function SettingField({ setting, value, isOpen, isTechnical, problem, onChange, onLeave }: SettingFieldProps) {
  const id = useId();
  const { path, locked } = setting;
  const { label, hint } = describeSetting(setting);
  const isField = isOpen && locked === null;
  const describedBy = problem ? `${id}-problem ${id}-hint` : `${id}-hint`;
  return (
    <div class={path.startsWith('switches.') ? 'setting compact' : 'setting'} id={path} title={path}>
      <div>
        {isField && !isComposed(setting) ? <label for={id}>{label}</label> : <p class="setting-name">{label}</p>}
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
        {isField && JSON.stringify(setting.value) !== JSON.stringify(setting.default) && (
          <p class="hint">Default: {describeValue(setting.default)}</p>
        )}
        {isTechnical && (
          <p class="path">
            <code>{path}</code>
          </p>
        )}
      </div>
      <div onFocusOut={onLeave}>
        {isField ? (
          <SettingInput
            setting={setting}
            value={value}
            common={{ id, 'aria-describedby': describedBy, 'aria-invalid': markOf(problem) }}
            onChange={onChange}
          />
        ) : (
          <p class="fixed-value">
            {locked !== null && <Icon name="lock" />}
            <bdi>{describeValue(value)}</bdi>
          </p>
        )}
        {locked !== null && <LockReason of={locked} />}
        {problem && (
          <p id={`${id}-problem`} class="hint bad" role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}

/** The reason of the service, with a link to the setting that it names, or to the guide for a new start. */
function LockReason({ of }: { of: string }) {
  const [reason = '', isFinal] = of.replace(/^It cannot change: /, '').split(' To use another');
  const [path] = /^[a-z_]+(\.[a-z_]+)+/.exec(reason) ?? [];
  if (path) {
    const [place] = placeSettings([{ path } as Setting]);
    return (
      <p class="hint">
        Fixed: <a href={`/console/settings?tab=${place?.group}`}>{describeSetting({ path, description: '' }).label}</a>
        {reason.slice(path.length).replace('Unset it first.', 'Set it back to its default first.')}
      </p>
    );
  }
  return (
    <p class="hint">
      Fixed: {reason} {isFinal !== undefined && <a href="/docs/guides/move-from-another-system">Start anew with another one</a>}
    </p>
  );
}

/** Has several fields, each with a label of its own. */
const isComposed = ({ type }: Setting): boolean => type === 'object';

interface Common {
  id: string;
  'aria-label'?: string;
  'aria-describedby': string;
  'aria-invalid': 'true' | undefined;
}

interface SettingInputProps {
  setting: Setting;
  value: unknown;
  common: Common;
  onChange: (value: unknown) => void;
}

function SettingInput({ setting, value, common, onChange }: SettingInputProps) {
  const { path, type, choices } = setting;
  if (type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        class="toggle"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (path === 'store.statuses') return <StatusesInput value={value as Statuses} common={common} onChange={onChange} />;
  if (isCouponTemplate(value)) return <TemplateInput value={value} onChange={onChange} />;
  const options = choices ?? knownValues(path);
  if (options) return <ChoiceInput path={path} options={options} value={String(value)} common={common} onChange={onChange} />;
  if (type === 'number' || type === 'integer')
    return (
      <WithUnit unit={unitOf(describeSetting(setting).unit)}>
        <NumberInput setting={setting} value={value} common={common} onChange={onChange} />
      </WithUnit>
    );
  if (type === 'array')
    return (
      <textarea
        {...common}
        rows={4}
        spellcheck={false}
        defaultValue={(value as unknown[]).join('\n')}
        onInput={({ currentTarget }) => onChange(parseLines(currentTarget.value, setting))}
      />
    );
  if (path === 'brand.color') return <ColorInput value={String(value)} common={common} onChange={onChange} />;
  return (
    <input
      {...common}
      type="text"
      inputMode={path.endsWith('url') ? 'url' : undefined}
      maxLength={setting.max_length ?? undefined}
      defaultValue={String(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  );
}

/** A number that may be absent is so when the field is empty. */
const NumberInput = ({ setting: { type, minimum, maximum, default: usual }, value, common, onChange }: SettingInputProps) => (
  <input
    {...common}
    type="number"
    min={minimum ?? undefined}
    max={maximum ?? undefined}
    step={type === 'integer' ? 1 : 'any'}
    defaultValue={value === null ? '' : String(value)}
    onInput={({ currentTarget }) => onChange(currentTarget.value === '' && usual === null ? null : currentTarget.valueAsNumber)}
  />
);

const WithUnit = ({ unit, children }: { unit: string; children: ComponentChildren }) => (
  <span class="with-unit">
    {children}
    {unit && <span class="quiet">{unit}</span>}
  </span>
);

/** Entries of numbers have a minimum. A comma within a number is one of decimals for some readers: it is refused, and separates nothing. */
function parseLines(text: string, { minimum }: Setting): unknown[] {
  const lines = text
    .split(minimum === null ? /[\n,;]/ : /[\n;]|,\s/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return minimum === null ? lines : lines.map(Number);
}

/** Values that browsers know, where the service has no list of a few. */
function knownValues(path: string): readonly string[] | null {
  if (path === 'store.currency') return Intl.supportedValuesOf('currency');
  if (path === 'payouts.sepa.country') return ['', ...countriesByName];
  return path === 'store.timezone' ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : null;
}

const choiceTexts: Record<string, string> = {
  pro: 'Pro',
  free: 'Free',
  paid: 'Paid',
  fulfilled: 'Fulfilled',
  manual: 'By hand: you pay and mark it as paid',
  off: 'Off: nobody is asked for a code',
  optional: 'Optional: everybody may set it up',
  admins: 'Required for administrators and managers',
  log: 'Only write it to the log (for tests)',
};

function describeChoice(path: string, choice: string): string {
  if (path === 'store.currency') return `${choice} · ${new Intl.DisplayNames(undefined, { type: 'currency' }).of(choice)}`;
  if (path === 'payouts.sepa.country') return choice === '' ? 'Not set' : nameCountry(choice);
  return choiceTexts[choice] ?? choice.replaceAll('_', ' ');
}

interface ChoiceInputProps {
  path: string;
  options: readonly string[];
  value: string;
  common: Common;
  onChange: (value: string) => void;
}

const ChoiceInput = ({ path, options, value, common, onChange }: ChoiceInputProps) => (
  <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {[...new Set([value, ...options])].map((choice) => (
      <option key={choice} value={choice} selected={choice === value}>
        {describeChoice(path, choice)}
      </option>
    ))}
  </select>
);

function ColorInput({ value, common, onChange }: { value: string; common: Common; onChange: (value: string) => void }) {
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <span class="with-unit">
      <input
        {...common}
        type="text"
        placeholder="#2f52c4"
        maxLength={7}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <input
        type="color"
        aria-label="Choose the colour of buttons"
        value={isColor ? value : '#2f52c4'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  );
}

type Statuses = Readonly<Record<string, string>>;

/** Which status of the shop means which of ours. A row without a name is not saved. */
function StatusesInput({ value, common, onChange }: { value: Statuses; common: Common; onChange: (value: Statuses) => void }) {
  const [rows, setRows] = useState<readonly (readonly [own: string, status: string])[]>(Object.entries(value));
  const change = (next: typeof rows): void => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(([own]) => own !== '')));
  };
  const setRow = (index: number, row: (typeof rows)[number]): void => change(rows.map((old, at) => (at === index ? row : old)));
  return (
    <div class="status-rows" id={common.id}>
      {rows.map(([own, status], index) => (
        <div key={index} class="status-row">
          <input
            type="text"
            aria-label={`Status ${index + 1} of the shop`}
            placeholder="packed"
            maxLength={100}
            value={own}
            onInput={({ currentTarget }) => setRow(index, [currentTarget.value.trim(), status])}
          />
          <span class="quiet">means</span>
          <select
            aria-label={`Meaning of status ${index + 1}`}
            value={status}
            onChange={({ currentTarget }) => setRow(index, [own, currentTarget.value])}
          >
            {Object.entries(orderStatuses).map(([name, { label }]) => (
              <option key={name} value={name} selected={name === status}>
                {label}
              </option>
            ))}
          </select>
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove status ${index + 1}`}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="plain" onClick={() => setRows([...rows, ['', 'processing']])}>
        Add a status
      </button>
    </div>
  );
}

/** An empty commission is that of the program. */
function TemplateInput({ value, onChange }: { value: CouponTemplate; onChange: (value: CouponTemplate) => void }) {
  const id = useId();
  return (
    <div class="template">
      <label for={`${id}-percent`}>Commission</label>
      <WithUnit unit="%">
        <input
          id={`${id}-percent`}
          type="number"
          min={0}
          max={100}
          step="any"
          placeholder="As the program"
          defaultValue={value.percent === null ? '' : String(value.percent)}
          onInput={({ currentTarget }) => onChange({ ...value, percent: currentTarget.value === '' ? null : currentTarget.valueAsNumber })}
        />
      </WithUnit>
      <label for={`${id}-type`}>Discount</label>
      <select id={`${id}-type`} onChange={({ currentTarget }) => onChange({ ...value, discount_type: currentTarget.value })}>
        {Object.entries(discountTypes).map(([type, text]) => (
          <option key={type} value={type} selected={type === value.discount_type}>
            {text}
          </option>
        ))}
      </select>
      <label for={`${id}-amount`}>Discount amount</label>
      <WithUnit unit={unitOf(value.discount_type === 'percent' ? 'percent' : 'money')}>
        <input
          id={`${id}-amount`}
          type="number"
          min={0}
          step="any"
          defaultValue={String(value.discount_amount)}
          onInput={({ currentTarget }) => onChange({ ...value, discount_amount: currentTarget.valueAsNumber })}
        />
      </WithUnit>
    </div>
  );
}
