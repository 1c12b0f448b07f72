import { callConsole } from './session.ts';

/** Second factor and sessions of the reader. No part of the API. */
export interface Safety {
  readonly second_factor: {
    readonly is_offered: boolean;
    readonly is_required: boolean;
    /** Null while there is none. */
    readonly date_set_up: string | null;
    /** How many are left. */
    readonly recovery_codes: number;
  };
  readonly sessions: readonly OwnSession[];
}

export interface OwnSession {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly date_signed_in: string;
  readonly last_used: string;
  readonly is_current: boolean;
}

export const loadSafety = (): Promise<Safety> => callConsole('GET', '/console/security');
