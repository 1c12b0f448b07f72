import type { AttributingClick } from '../clicks/store.ts';
import type { Step } from './order-change.ts';

export type Decision =
  | { outcome: 'unchanged' | 'unattributed' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'recorded' | 'changed'; step: Step; click?: AttributingClick | undefined };
