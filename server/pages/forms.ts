import bodyParser from 'koa-bodyparser';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { systemRandom } from '../../domain/random.ts';
import { isSameSecret } from '../auth/credentials.ts';
import { runParser } from '../contract/read-body.ts';
import { readCookie, setCookie } from '../http/cookies.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';

/** A field of a form that works without a script. */
export interface FormField {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'url' | 'textarea' | 'checkbox';
  /** Below the label. */
  hint?: string;
  isRequired?: boolean;
  isReadOnly?: boolean;
  maxLength?: number;
  autocomplete?: string;
  /** Folded away, with all others of its kind. */
  isAdvanced?: boolean;
  /** Instead of a type: one of these, value and label. */
  options?: readonly (readonly [value: string, label: string])[];
}

export interface FormState {
  values?: Readonly<Record<string, string>>;
  /** By the name of the field. Completes "<label> …". */
  problems?: Readonly<Record<string, string>>;
  /** About the form as a whole. */
  problem?: string;
}

/** Fields under a title of their own. */
interface FieldGroup {
  title: string;
  /** What the fields are for, in a sentence. */
  hint: string;
  fields: readonly FormField[];
}

interface Form extends FormState {
  action: string;
  button: string;
  /** After the groups, if there are any. */
  fields?: readonly FormField[];
  groups?: readonly FieldGroup[];
  /** Further HTML after the fields. */
  further?: string;
  hidden?: Readonly<Record<string, string>>;
}

/** The form as HTML, with the token that proves that this browser was shown it. Passwords are never filled in again. */
export function renderForm(
  ctx: RequestContext,
  { action, button, fields = [], groups = [], further = '', hidden = {}, ...state }: Form,
): string {
  const inputs = Object.entries({ ...hidden, form_token: getFormToken(ctx) }).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const all = [...groups.flatMap((group) => group.fields), ...fields];
  const content = [...inputs, ...groups.map((group, index) => renderGroup(group, index, state)), ...renderFields(fields, state)];
  return `${renderProblem(all, state)}<form method="post" action="${escapeHtml(action)}">
${content.join('\n')}
${further}<button>${escapeHtml(button)}</button>
</form>`;
}

function renderGroup({ title, hint, fields }: FieldGroup, index: number, state: FormState): string {
  const id = `group-${index}-hint`;
  return `<fieldset aria-describedby="${id}"><legend>${escapeHtml(title)}</legend><p class="hint" id="${id}">${escapeHtml(hint)}</p>
${renderFields(fields, state).join('\n')}
</fieldset>`;
}

function renderFields(fields: readonly FormField[], state: FormState): string[] {
  const [advanced, shown] = [fields.filter(({ isAdvanced }) => isAdvanced), fields.filter(({ isAdvanced }) => !isAdvanced)];
  return [...shown.map((field) => renderField(field, state)), ...(advanced.length > 0 ? [renderAdvanced(advanced, state)] : [])];
}

const renderAdvanced = (fields: readonly FormField[], state: FormState): string =>
  `<details><summary>Advanced</summary>\n${fields.map((field) => renderField(field, state)).join('\n')}\n</details>`;

function renderProblem(fields: readonly FormField[], { problem, problems = {} }: FormState): string {
  const sentences = fields.filter(({ name }) => name in problems).map(({ name, label }) => `${label} ${problems[name]}`);
  const all = [...(problem ? [problem] : []), ...sentences];
  return all.length === 0 ? '' : `<div class="problem" role="alert">${all.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</div>\n`;
}

function renderField(field: FormField, { values = {}, problems = {} }: FormState): string {
  const { name, label, type = 'text', hint, isRequired, isReadOnly, maxLength, autocomplete, options } = field;
  const value = type === 'password' ? '' : (values[name] ?? '');
  const problem = problems[name];
  const described = [...(hint ? [`${name}-hint`] : []), ...(problem === undefined ? [] : [`${name}-problem`])];
  const attributes = [
    `id="${name}" name="${name}"`,
    autocomplete && `autocomplete="${autocomplete}"`,
    isRequired && 'required',
    isReadOnly && 'readonly',
    maxLength && `maxlength="${maxLength}"`,
    described.length > 0 && `aria-describedby="${described.join(' ')}"`,
    problem !== undefined && 'aria-invalid="true"',
  ]
    .filter(Boolean)
    .join(' ');
  const isOptional = !isRequired && !isReadOnly && !options && type !== 'checkbox';
  const title = `<label for="${name}">${escapeHtml(label)}${isOptional ? ' (optional)' : ''}</label>`;
  const help = [
    hint ? `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>` : '',
    problem === undefined ? '' : `<p class="hint problem" id="${name}-problem">${escapeHtml(`${label} ${problem}`)}</p>`,
  ].join('');
  if (options) {
    const listed = options.map(
      ([key, text]) => `<option value="${escapeHtml(key)}"${key === value ? ' selected' : ''}>${escapeHtml(text)}</option>`,
    );
    return `${title}${help}<select ${attributes}>${listed.join('')}</select>`;
  }
  if (type === 'textarea') return `${title}${help}<textarea ${attributes} rows="4">\n${escapeHtml(value)}</textarea>`;
  if (type === 'checkbox')
    return `<div class="choice"><input type="checkbox" ${attributes} value="yes"${value === 'yes' ? ' checked' : ''}>${title}</div>${help}`;
  return `${title}${help}<input type="${type}" ${attributes} value="${escapeHtml(value)}">`;
}

const formCookie = 'svc_form';

/** One token for each browser, so that several forms can be open. */
function getFormToken(ctx: RequestContext): string {
  const known = readCookie(ctx, formCookie) ?? '';
  if (/^[\w-]{32}$/.test(known)) return known;
  const token = systemRandom.bytes(24).toString('base64url');
  setCookie(ctx, formCookie, token);
  return token;
}

/** Whether the form was sent from a page of this service: another site cannot sign a browser in, or apply in its name. */
export function isOwnForm(ctx: RequestContext): boolean {
  const token = readCookie(ctx, formCookie) ?? '';
  const isSameOrigin = ['', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'));
  return isSameOrigin && token !== '' && isSameSecret(token, formFields(ctx)['form_token'] ?? '');
}

export const oldForm = 'The form was too old. Please try again.';
const noCookie =
  'Your browser sent no cookie with the form, so this service cannot tell that it was you. Allow cookies for this address, then try again.';

/** Why a form is not accepted as one of this service. */
export const explainForeignForm = (ctx: RequestContext): string => (readCookie(ctx, formCookie) === undefined ? noCookie : oldForm);

const createFormReader = (formLimit: string): Middleware => {
  const parse = bodyParser({ enableTypes: ['form'], formLimit });
  return async (ctx, next) => {
    await runParser(parse, ctx);
    await next();
  };
};

export const readForm = createFormReader('16kb');

/** For texts: a character of most scripts has 6 or 9 bytes in a form. */
export const readLongForm = createFormReader('64kb');

/** The fields that were sent once; a repeated one would be a list. */
export const formFields = ({ request }: RequestContext): Record<string, string> =>
  Object.fromEntries(
    Object.entries((request as { body?: object }).body ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export function redirect(ctx: RequestContext, url: string): void {
  ctx.status = 303;
  ctx.redirect(url);
}
