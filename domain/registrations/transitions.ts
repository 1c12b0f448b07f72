import { type Transition, transitions } from '../../generated/transitions.ts';
import type { RegistrationStatus } from './registration.ts';

export type RegistrationTransition = Transition<'RegistrationStatus'>;

const { rows } = transitions.RegistrationStatus;

/** The row of the contract's state table; undefined where it has none. From null: the application comes in. */
export const findTransition = (from: RegistrationStatus | null, to: RegistrationStatus): RegistrationTransition | undefined =>
  rows.find((row) => row.from === from && row.to === to);
