/** One thing that `doctor` looked at. The message says what to do, where there is something to do. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
}

const checkOf =
  (state: Check['state']) =>
  (name: string, message: string): Check => ({ name, state, message });

export const ok = checkOf('ok');
export const warning = checkOf('warning');
export const problem = checkOf('problem');
