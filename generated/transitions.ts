// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.

export const transitions = {
  PayoutStatus: {
    field: 'status',
    internal: { processing: { reads: 'created' }, failed: { reads: 'cancel' } },
    rows: [
      {
        from: null,
        to: 'pending',
        by: 'request',
        moves: { from: 'unpaid', to: 'pending_payout' },
        event: 'payout.requested',
        requires: ['free_slot'],
      },
      {
        from: null,
        to: 'processing',
        by: 'request',
        moves: { from: 'unpaid', to: 'pending_payout' },
        event: 'payout.requested',
        requires: ['free_slot'],
      },
      { from: 'processing', to: 'pending', by: 'gateway', moves: null, event: null, requires: [] },
      { from: 'processing', to: 'created', by: 'gateway', moves: null, event: 'payout.created', requires: [] },
      { from: 'processing', to: 'paid', by: 'gateway', moves: { from: 'pending_payout', to: 'paid' }, event: 'payout.paid', requires: [] },
      { from: 'pending', to: 'created', by: 'admin', moves: null, event: 'payout.created', requires: [] },
      { from: 'pending', to: 'paid', by: 'admin', moves: { from: 'pending_payout', to: 'paid' }, event: 'payout.paid', requires: [] },
      {
        from: 'pending',
        to: 'cancel',
        by: 'admin',
        moves: { from: 'pending_payout', to: 'unpaid' },
        event: 'payout.cancelled',
        requires: [],
      },
      { from: 'created', to: 'pending', by: 'admin', moves: null, event: 'payout.pending', requires: [] },
      { from: 'created', to: 'paid', by: 'admin', moves: { from: 'pending_payout', to: 'paid' }, event: 'payout.paid', requires: [] },
      {
        from: 'created',
        to: 'cancel',
        by: 'admin',
        moves: { from: 'pending_payout', to: 'unpaid' },
        event: 'payout.cancelled',
        requires: [],
      },
      {
        from: 'paid',
        to: 'pending',
        by: 'admin',
        moves: { from: 'paid', to: 'pending_payout' },
        event: 'payout.reversed',
        requires: ['free_slot'],
      },
      {
        from: 'paid',
        to: 'created',
        by: 'admin',
        moves: { from: 'paid', to: 'pending_payout' },
        event: 'payout.reversed',
        requires: ['free_slot'],
      },
      { from: 'paid', to: 'cancel', by: 'admin', moves: { from: 'paid', to: 'unpaid' }, event: 'payout.cancelled', requires: [] },
      {
        from: 'cancel',
        to: 'pending',
        by: 'admin',
        moves: { from: 'unpaid', to: 'pending_payout' },
        event: 'payout.reopened',
        requires: ['free_slot', 'unpaid_holds_amount'],
      },
      {
        from: 'cancel',
        to: 'created',
        by: 'admin',
        moves: { from: 'unpaid', to: 'pending_payout' },
        event: 'payout.reopened',
        requires: ['free_slot', 'unpaid_holds_amount'],
      },
    ],
  },
  RegistrationStatus: {
    field: 'status',
    internal: {},
    rows: [
      { from: null, to: 'pending', by: 'applicant', moves: null, event: 'registration.created', requires: [] },
      { from: 'pending', to: 'accepted', by: 'admin', moves: null, event: 'registration.accepted', requires: [] },
      { from: 'pending', to: 'declined', by: 'admin', moves: null, event: 'registration.declined', requires: [] },
      { from: 'declined', to: 'accepted', by: 'admin', moves: null, event: 'registration.accepted', requires: [] },
    ],
  },
} as const;

export type TransitionTable = keyof typeof transitions;
export type Transition<Table extends TransitionTable = TransitionTable> = (typeof transitions)[Table]['rows'][number];
