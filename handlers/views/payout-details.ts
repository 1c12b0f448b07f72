import { listFields } from '../../domain/payout-details/destination.ts';
import { getHint } from '../../domain/payout-details/own-details.ts';
import type { MethodType, PayoutDetails } from '../../domain/payout-details/payout-details.ts';
import type { components } from '../../generated/api.d.ts';
import { listChoosableMethods } from '../../site/program.ts';
import type { HandlerContext } from '../context.ts';
import { payoutMethodView } from './affiliate.ts';

type Schemas = components['schemas'];

/** The destination itself is never returned. */
export function ownPayoutDetailsView(
  details: PayoutDetails | null,
  { settings, secretsFor }: Pick<HandlerContext, 'settings' | 'secretsFor'>,
): Schemas['OwnPayoutDetails'] {
  const { decrypt } = secretsFor('payout_details');
  return {
    methods: Object.entries(listChoosableMethods(settings)).map(([kind, label]) => methodView(kind as MethodType, label)),
    saved: details && { ...payoutMethodView(details, settings), hint: getHint(details, decrypt) },
  };
}

function methodView(kind: MethodType, label: string): Schemas['ChoosableMethod'] {
  const { isFree, fields } = listFields(kind);
  return {
    method_type: kind,
    label,
    free_details: isFree,
    fields: Object.entries(fields).map(([name, field]) => ({
      name,
      label: field.label,
      required: !field.isOptional,
      format: field.format,
      max_length: field.maxLength,
      hint: field.hint ?? '',
    })),
  };
}
