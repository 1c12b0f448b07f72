import { createSecrets } from '../../domain/master-key/secrets.ts';
import { createBatch } from '../../domain/payouts/create-batch.ts';
import { payBatch } from '../../domain/payouts/settle-batch.ts';
import { systemRandom } from '../../domain/random.ts';
import { holdNothing } from '../../domain/risk/holds.ts';
import { buildProgram } from '../../site/program.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../../test/support/program.ts';
import { masterKey, type TestService } from '../../test/support/service.ts';

/** The simulated bank refuses payments to this account. */
const closedAccount = 'FR1420041010050500013M02606';

/** Two affiliates with commission who are paid by bank transfer, one of them to a closed account. */
export async function createPayees(service: TestService): Promise<{ inputs: Record<string, string>; couponIds: number[] }> {
  const payer = { name: 'Fjell', iban: 'DE89370400440532013000', town: 'Berlin', country: 'DE' };
  for (const [name, value] of Object.entries(payer)) await service.settings.set(`payouts.sepa.${name}`, value);
  const couponIds: number[] = [];
  const create = async (login: string, holder: string, iban: string): Promise<string> => {
    const user = await service.user(login, 'affiliate');
    const couponId = await coupon(service, login, { userId: user.id });
    couponIds.push(couponId);
    const details = { holder, iban, town: 'Kiel', country: 'DE' };
    await payoutDetails(service, { userId: user.id, method: 'Bank transfer', methodType: 'banktransfer', details });
    await orders(service, [{ id: newOrderId(), coupon: couponId, at: new Date(service.clock.now()).toISOString(), total: 412.3 }]);
    return (await service.key(user, ['read', 'write'])).token;
  };
  const inputs = {
    paid_payee_token: await create('ridgereport', 'Ridge Report', 'NL91ABNA0417164300'),
    failed_payee_token: await create('lowtide', 'Low Tide', closedAccount),
    failed_payee_login: 'lowtide',
  };
  return { inputs, couponIds };
}

/**
 * Simulates an operator with `affiliate payout file` and `affiliate payout batch paid`: as soon as the balances of these coupons are
 * requested, all of them are paid by one SEPA file, but for payments to the closed account. Returns the file, or null if it is too early.
 */
export async function payByFile({ storage, settings, clock }: TestService, couponIds: readonly number[]): Promise<string | null> {
  const current = await settings.current();
  const change = { now: clock.now(), userId: 0, program: buildProgram(current) };
  const secretsFor = (kind: 'payout_details' | 'payout_file') => createSecrets(kind, masterKey, systemRandom);
  const context = { change, detailsSecrets: secretsFor('payout_details'), fileSecrets: secretsFor('payout_file'), holds: holdNothing };
  const request = { format: 'sepa', fileName: 'payouts.xml', payer: current.payouts.sepa } as const;
  const created = await storage.write(async (transaction) => {
    for (const couponId of couponIds) if ((await transaction.ledger.balance(couponId, 'unpaid')) > 0) return null;
    return createBatch(transaction, request, context);
  });
  const { batch, text = '' } = created ?? {};
  if (!batch) return null;
  const failed = text.split('<CdtTrfTxInf>').filter((transfer) => transfer.includes(closedAccount));
  const ids = failed.map((transfer) => Number(/<EndToEndId>PAYOUT-(\d+)-/.exec(transfer)?.[1]));
  await storage.write((transaction) => payBatch(transaction, batch.id, ids, change));
  return text;
}
