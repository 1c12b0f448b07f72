import type { Command } from 'commander';
import { foldCode } from '../../domain/coupons/terms.ts';
import { explainOrder } from '../../domain/explanation/explain.ts';
import { inWords } from '../../domain/money.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { explanationView } from '../../handlers/views/explanation.ts';
import { buildProgram } from '../../site/program.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { systemCaller } from '../operator.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult, wholeNumber } from '../terminal/output.ts';
import { colorize, printable } from '../terminal/text.ts';

const examples = `
Recomputes the commission of an order from its stored amounts and rates: the rates and where they came from, each step with its rounding,
why the coupon was credited and what lost, the shares of the affiliates above, and the movements in the ledger. Candidates that lost are found
among the clicks and lifetime links as they are stored now. With --json the document is the response of
GET /coupons/{id}/orders/{order_id}/explanation for an admin. Exits with 1 when a stored figure is not the recomputed one.

Examples
  affiliate explain TRAIL10 58213
  affiliate explain 301 58213 --json`;

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('how the commission of an order came about')
    .argument('<coupon>', 'the coupon: its id or its code')
    .argument('<order>', "the store's own number of the order", wholeNumber('The order', 1, Number.MAX_SAFE_INTEGER))
    .addHelpText('after', examples)
    .action(printResult(explain));
}

const explain = (coupon: string, orderId: number, _options: OutputOptions): Promise<CommandResult> =>
  withExistingDatabase(({ database, settings }: CommandContext) =>
    database.read(async (db) => {
      const couponId = await findCoupon(db, coupon, orderId);
      const reader = { caller: systemCaller, couponId, levels: { upline: false } };
      const explanation = await explainOrder(db, reader, orderId, buildProgram(settings));
      const json = explanationView(explanation, settings);
      const wrongShares = explanation.shares.filter(({ agrees }) => !agrees).length;
      const { currency } = settings.store;
      const failure = explanation.agrees
        ? `${wrongShares === 1 ? 'A stored share is' : `${wrongShares} stored shares are`} not what is recomputed.`
        : `The stored commission is ${inWords(explanation.order.commission, currency)}, not ${inWords(explanation.recomputed, currency)}.`;
      const text = formatExplanation(json, settings);
      return explanation.agrees && wrongShares === 0 ? { json, text } : { json, text, failure };
    }),
  );

/** Coupons may share a code, and a code may look like an id: the order decides. */
async function findCoupon({ couponRecords, couponTerms, orders }: Repositories, coupon: string, orderId: number): Promise<number> {
  const byId = /^\d{1,15}$/.test(coupon) ? await couponTerms.byIds([Number(coupon)]) : [];
  const found = [...byId, ...(await couponRecords.byCode(foldCode(coupon)))];
  if (found.length === 0) throw new CommandError(`There is no coupon "${printable(coupon)}". Give its id or its code.`);
  const [order] = await orders.byIds([orderId]);
  if (!order) throw new CommandError(`There is no order ${orderId} that a coupon referred.`);
  const credited = found.find(({ id }) => id === order.couponId);
  if (!credited)
    throw new CommandError(
      `Order ${orderId} was credited to coupon ${order.couponId}. Run affiliate explain ${order.couponId} ${orderId}.`,
    );
  return credited.id;
}

function formatExplanation(
  { order_id, inputs, steps, attribution, shares, movements }: ReturnType<typeof explanationView>,
  { store }: Settings,
): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', colorize('bold', title), ...lines.map((line) => `  ${printable(line)}`)];
  const placed = inputs.date.replace('T', ' ');
  return [
    `Order ${order_id} of ${placed}, ${store.timezone}: ${inputs.status}, commission ${inputs.commission_status}.`,
    ...section(
      'Rates',
      inputs.rates.map(({ text }) => text),
    ),
    ...section(
      'Steps',
      steps.map(({ text }) => text),
    ),
    ...section('Attribution', [attribution.text, ...attribution.candidates.map(({ text }) => text)]),
    ...section(
      'Shares of the affiliates above',
      shares.map(({ text }) => text),
    ),
    ...section(
      'Ledger',
      movements.map(({ date, coupon_id, text }) => `${date.replace('T', ' ')}, coupon ${coupon_id}: ${text}`),
    ),
  ].join('\n');
}
