import type { Contract, Endpoint } from '../contract.ts';
import { make } from '../make.ts';
import type { Parameter } from '../openapi.ts';
import { valueText } from '../snippets.ts';

export interface ParameterField {
  readonly parameter: Parameter;
  readonly element: HTMLElement;
  value(): string;
}

/** A field for each parameter. What is required holds the contract's example; the rest is empty, so that the first call shows everything. */
export const parameterFields = (contract: Contract, { id, parameters }: Endpoint): ParameterField[] =>
  parameters.map((parameter) => {
    const control = controlOf(contract, parameter, `try-${id}-${parameter.in}-${parameter.name}`);
    const label = make(
      'label',
      { for: control.id },
      make('code', {}, parameter.name),
      parameter.required === true ? make('span', { class: 'required' }, 'required') : null,
    );
    return { parameter, element: make('p', { class: 'input' }, label, control), value: () => control.value.trim() };
  });

function controlOf(contract: Contract, parameter: Parameter, id: string): HTMLInputElement | HTMLSelectElement {
  const schema = contract.resolve(parameter.schema ?? {});
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  const given = parameter.required === true ? valueText(parameter.example) : '';
  if (values) return choice(id, values.map(valueText), given);
  const placeholder = given === '' && parameter.example !== undefined ? valueText(schema.default ?? parameter.example) : '';
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const field = make('input', {
    id,
    type: 'text',
    placeholder,
    autocomplete: 'off',
    spellcheck: 'false',
    required: parameter.in === 'path',
    ...(isNumber && { inputmode: 'numeric' }),
  });
  field.value = given;
  return field;
}

function choice(id: string, values: readonly string[], given: string): HTMLSelectElement {
  const select = make(
    'select',
    { id },
    make('option', { value: '' }, 'not sent'),
    values.map((value) => make('option', { value }, value)),
  );
  select.value = given;
  return select;
}

export interface BodyField {
  readonly element: HTMLElement;
  value(): string;
  /** Says what is wrong with the text, or clears that. */
  complain(sentence: string): void;
}

/** The JSON body as text, filled from an example of the contract. */
export function bodyField(contract: Contract, { id, body }: Endpoint): BodyField | null {
  const content = body?.content?.['application/json'];
  if (!content) return null;
  const examples = contract.examplesOf(content.examples);
  const text = make('textarea', {
    id: `try-${id}-body`,
    rows: 6,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': `try-${id}-body-problem`,
  });
  const problem = make('span', { class: 'bad', id: `try-${id}-body-problem`, role: 'alert' });
  const fill = (index: number): void => {
    text.value = JSON.stringify(examples[index]?.value ?? {}, null, 2);
    text.rows = Math.min(14, Math.max(3, text.value.split('\n').length + 1));
  };
  fill(0);
  const chooser = make(
    'select',
    { 'aria-label': 'Example to start from' },
    examples.map(({ name }, index) => make('option', { value: index }, name)),
  );
  chooser.addEventListener('change', () => fill(Number(chooser.value)));
  const label = make('label', { for: text.id }, 'Body', make('span', { class: 'quiet' }, ' JSON'));
  return {
    element: make('div', { class: 'input wide' }, label, examples.length > 1 && chooser, text, problem),
    value: () => text.value,
    complain(sentence) {
      problem.textContent = sentence;
      text.setAttribute('aria-invalid', String(sentence !== ''));
    },
  };
}
