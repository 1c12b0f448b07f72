import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { copyText } from '../shared/clipboard.ts';
import { formatMoney } from './format.ts';
import { type IconName, iconShapes } from './icons.ts';
import { hasNavigated } from './router.ts';
import { storeName } from './session.ts';
import type { Explained } from './words.ts';

/** Decorative: the element that contains it has a label of its own. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
    <path d={iconShapes[name]} />
  </svg>
);

interface PageHeadProps {
  title: string;
  lead?: ComponentChildren;
  /** The list that the record of the page is in. */
  back?: { readonly href: string; readonly text: string };
  /** What can be done. */
  children?: ComponentChildren;
}

/** The head of a page. Its heading gets the focus after a link was followed, so that screen readers read it. */
export function PageHead({ title, lead, back, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${storeName}`;
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <header class="page-head">
      <div>
        {back && (
          <a class="back" href={back.href}>
            <span aria-hidden="true">← </span>
            {back.text}
          </a>
        )}
        <h1 tabIndex={-1} ref={heading}>
          <bdi>{title}</bdi>
        </h1>
        {lead && <p class="quiet">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

interface CardProps {
  title?: string;
  /** For links to this part of the page. */
  id?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export const Card = ({ title, id, actions, children }: CardProps) => (
  <section class="card" id={id}>
    {(title || actions) && (
      <header class="card-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
    )}
    {children}
  </section>
);

/** One figure with its name, and in a sentence what it means. */
export const Figure = ({ name, value, note }: { name: string; value: ComponentChildren; note?: ComponentChildren }) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd class="figure-value">{value}</dd>
    {note && <dd class="figure-note">{note}</dd>}
  </div>
);

export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>;

type Pools = Readonly<Record<`${'unpaid' | 'pending_order' | 'pending_payout' | 'paid'}_commission`, number>>;

/** The balances of a coupon, an affiliate or the program. */
export const PoolFigures = ({ of }: { of: Pools }) => (
  <Figures>
    <Figure name="Available" value={formatMoney(of.unpaid_commission)} note="not requested yet" />
    <Figure name="Being cleared" value={formatMoney(of.pending_order_commission)} note="can still be returned" />
    <Figure name="Requested" value={formatMoney(of.pending_payout_commission)} note="waiting or on its way" />
    <Figure name="Paid" value={formatMoney(of.paid_commission)} note="all time" />
  </Figures>
);

/** A status in a word; what it means is its title. */
export const Badge = ({ of: { label, tone, meaning } }: { of: Explained }) => (
  <span class={`badge ${tone}`} title={meaning || undefined}>
    {label}
  </span>
);

export const Name = ({ children }: { children: string }) => <bdi class="name">{children || '–'}</bdi>;

/** Facts as a list of names and values. */
export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value === '' || value === null ? '–' : value}</dd>
      </div>
    ))}
  </dl>
);

/** Texts as facts. Those that are empty are left out. */
export const textFacts = (texts: readonly (readonly [string, string])[]): (readonly [string, ComponentChildren])[] =>
  texts.filter(([, text]) => text !== '').map(([name, text]) => [name, <Name>{text}</Name>] as const);

/** Fields of the store, whose names are for programs: `newsletter_readers`. */
export const customTexts = (fields: Readonly<Record<string, unknown>>): (readonly [string, string])[] =>
  Object.entries(fields).map(([name, value]) => {
    const words = name.replaceAll('_', ' ');
    return [words.charAt(0).toUpperCase() + words.slice(1), String(value ?? '')] as const;
  });

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" class="plain copy" onClick={copy} aria-label={label}>
      <Icon name={isCopied ? 'done' : 'copy'} />
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  );
}

/** An address or a secret, to be copied. */
export const CopyLine = (line: { text: string; label: string }) => (
  <span class="copy-line">
    <code>{line.text}</code>
    <CopyButton {...line} />
  </span>
);

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  children: (id: string) => ComponentChildren;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    {(id) => (
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface SearchFieldProps {
  label: string;
  value: string;
  maxLength?: number;
  onChange: (value: string) => void;
}

/** Changes the filter when the reader stops typing, presses Enter or leaves the field. */
export function SearchField({ label, value, maxLength = 200, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = (): void => {
    applied.current = text;
    onChange(text);
  };
  // Another value came from a link or from the way back. One that was typed here must not replace what is typed by now.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(apply, 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Field label={label}>
      {(id) => (
        // Without a form: in one that acts, the Enter key would submit it.
        <input
          id={id}
          type="search"
          form=""
          maxLength={maxLength}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => text !== applied.current && apply()}
        />
      )}
    </Field>
  );
}

/** Choices of which one is current, as links: each has an address. */
export const Tabs = ({ label, items }: { label: string; items: readonly { text: string; href: string; isCurrent: boolean }[] }) => (
  <nav class="tabs" aria-label={label}>
    {items.map(({ text, href, isCurrent }) => (
      <a key={href} href={href} aria-current={isCurrent ? 'true' : undefined}>
        {text}
      </a>
    ))}
  </nav>
);
