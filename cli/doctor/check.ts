/** One result of `affiliate doctor`. The message of a warning or a problem says what to do. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
}

const createCheck =
  (state: Check['state']) =>
  (name: string, message: string): Check => ({ name, state, message });

export const ok = createCheck('ok');
export const warning = createCheck('warning');
export const problem = createCheck('problem');
