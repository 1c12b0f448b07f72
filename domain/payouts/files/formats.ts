import { decimalsOf, type Minor, toNumber } from '../../money.ts';
import type { PayoutDestination, WiseDestination } from '../../payout-details/destination.ts';
import { formatCsv, isFormula, readCsvFigures } from './csv.ts';
import {
  type BankPayment,
  describePayment,
  type FileContext,
  type FileFigures,
  type FilePayment,
  type PaypalPayment,
  type WisePayment,
} from './payment.ts';
import { isReachableBySepa, maxSepaAmount, readSepaFigures, writeSepa } from './sepa.ts';
import { isLegible } from './sepa-text.ts';

export const payoutFileFormats = ['sepa', 'paypal', 'wise-email', 'wise-saved', 'csv'] as const;
export type PayoutFileFormat = (typeof payoutFileFormats)[number];

interface FileWriter {
  /** The kind of method that it pays. Null for all kinds. */
  kind: PayoutDestination['kind'] | null;
  /** The number of payments that the provider accepts in one file. */
  limit: number;
  /** Why a payment of this kind cannot be in the file. Null if it can. */
  findProblem(payment: FilePayment): string | null;
  write(payments: readonly FilePayment[], context: FileContext): string;
  /** Reads count and total back from a written file. */
  readFigures(text: string, currency: string): FileFigures;
}

const formatAmount = (amount: Minor, currency: string): string => toNumber(amount, currency).toFixed(decimalsOf(currency));

/** Neutralizing would change where the money goes. */
const formulaProblem = (field: string, text: string): string | null =>
  isFormula(text) ? `${field} begins with ${text[0]}, which spreadsheets take for a formula` : null;

const sepa: FileWriter = {
  kind: 'banktransfer',
  // Banks accept more; this many are a file of 80 MB.
  limit: 100_000,
  findProblem({ destination, amount }) {
    const { holder, iban, town } = destination as BankPayment['destination'];
    if (!isReachableBySepa(iban)) return `${iban.slice(0, 2)} does not take part in SEPA`;
    if (!isLegible(holder)) return 'holder has no Latin letters, which SEPA needs';
    if (!isLegible(town)) return 'town has no Latin letters, which SEPA needs';
    return amount > maxSepaAmount ? 'the amount is larger than a SEPA credit transfer may be' : null;
  },
  write: (payments, context) => writeSepa(payments as BankPayment[], context),
  readFigures: readSepaFigures,
};

/** PayPal Payouts: recipient, amount, currency, own id, note; no header. */
const paypal: FileWriter = {
  kind: 'paypal',
  limit: 5000,
  findProblem: ({ destination }) => formulaProblem('email', (destination as PaypalPayment['destination']).email),
  write: (payments, context) =>
    formatCsv(
      (payments as PaypalPayment[]).map((payment) => [
        payment.destination.email,
        formatAmount(payment.amount, context.currency),
        context.currency,
        `PAYOUT-${payment.payoutId}`,
        describePayment(payment, context),
      ]),
    ),
  readFigures: (text, currency) => readCsvFigures(text, 1, currency, 0),
};

const wiseLimit = 1000;

/** With the store's currency the recipient gets the exact amount; with another one, what the amount is worth. */
const wiseCurrencies = ({ currency: target }: WiseDestination, { currency }: FileContext) =>
  target === '' || target === currency ? { target: currency, fixed: 'target' } : { target, fixed: 'source' };

const wiseReference = ({ payoutId }: WisePayment): string => `PAYOUT-${payoutId}`;

const wiseEmailHeader = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency'.split(',');

const wiseEmail: FileWriter = {
  kind: 'wisebank',
  limit: wiseLimit,
  findProblem({ destination }) {
    const { email } = destination as WiseDestination;
    return email === '' ? 'it has a recipient_id: use --format wise-saved' : formulaProblem('email', email);
  },
  write: (payments, context) =>
    formatCsv([
      wiseEmailHeader,
      ...(payments as WisePayment[]).map((payment) => {
        const { target, fixed } = wiseCurrencies(payment.destination, context);
        const { holder, email } = payment.destination;
        const amount = formatAmount(payment.amount, context.currency);
        return [holder, email, wiseReference(payment), 'PERSON', fixed, amount, context.currency, target];
      }),
    ]),
  readFigures: (text, currency) => readCsvFigures(text, wiseEmailHeader.indexOf('amount'), currency, 1),
};

const wiseSavedHeader =
  'recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,receiverType'.split(
    ',',
  );

const wiseSaved: FileWriter = {
  kind: 'wisebank',
  limit: wiseLimit,
  findProblem: ({ destination }) =>
    (destination as WiseDestination).recipient_id === '' ? 'it has no recipient_id: use --format wise-email' : null,
  write: (payments, context) =>
    formatCsv([
      wiseSavedHeader,
      ...(payments as WisePayment[]).map((payment) => {
        const { target, fixed } = wiseCurrencies(payment.destination, context);
        const { holder, recipient_id: id } = payment.destination;
        const amount = formatAmount(payment.amount, context.currency);
        // Wise identifies the recipient by its id; email and detail are for readers of the file.
        return [id, holder, '', '', context.currency, target, fixed, amount, wiseReference(payment), 'PERSON'];
      }),
    ]),
  readFigures: (text, currency) => readCsvFigures(text, wiseSavedHeader.indexOf('amount'), currency, 1),
};

const csvHeader = 'payout_id,user_id,name,coupon_code,amount,currency,method_type,method,details'.split(',');

/** All methods, for stores that pay by hand or convert the file. */
const csv: FileWriter = {
  kind: null,
  limit: 100_000,
  findProblem: () => null,
  write: (payments, context) =>
    formatCsv([
      csvHeader,
      ...payments.map((payment) => [
        String(payment.payoutId),
        String(payment.userId),
        payment.payee,
        payment.couponCode,
        formatAmount(payment.amount, context.currency),
        context.currency,
        payment.methodType,
        payment.method,
        JSON.stringify(payment.details),
      ]),
    ]),
  readFigures: (text, currency) => readCsvFigures(text, csvHeader.indexOf('amount'), currency, 1),
};

export const fileWriters: Readonly<Record<PayoutFileFormat, FileWriter>> = {
  sepa,
  paypal,
  'wise-email': wiseEmail,
  'wise-saved': wiseSaved,
  csv,
};
