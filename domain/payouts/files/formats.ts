import { decimalsOf, type Minor, toNumber } from '../../money.ts';
import type { PayoutDestination, WiseDestination } from '../../payout-details/destination.ts';
import { formatCsv, isFormula, readCsvFigures } from './csv.ts';
import { describePayment, type FileContext, type FileFigures, type FilePayment } from './payment.ts';
import { isReachableBySepa, maxSepaAmount, readSepaFigures, writeSepa } from './sepa.ts';
import { isLegible } from './sepa-text.ts';

export const payoutFileFormats = ['sepa', 'paypal', 'wise-email', 'wise-saved', 'csv'] as const;
export type PayoutFileFormat = (typeof payoutFileFormats)[number];

/** A name for a new file. */
export const nameFile = (format: PayoutFileFormat, what: string): string => `${what}.${format === 'sepa' ? 'xml' : 'csv'}`;

interface FileWriter<Payment = FilePayment> {
  /** The number of payments that the provider accepts in one file. */
  limit: number;
  /** Why a payment cannot be in the file. Null if it can. */
  findProblem(payment: Payment, currency: string): string | null;
  write(payments: readonly Payment[], context: FileContext): string;
  /** Reads count and total back from a written file. */
  readFigures(text: string, currency: string): FileFigures;
}

type Kind = PayoutDestination['kind'];

interface FileFormat extends FileWriter {
  /** The kind of method that it pays. Null for all kinds. */
  kind: Kind | null;
}

type PaymentOf<Own extends Kind> = FilePayment<Extract<PayoutDestination, { kind: Own }>>;

/** The format of a writer that gets payments of one kind only. @throws for a payment of another kind. */
function ofKind<Own extends Kind>(kind: Own, writer: FileWriter<PaymentOf<Own>>): FileFormat {
  const isOwn = (payment: FilePayment): payment is PaymentOf<Own> => payment.destination?.kind === kind;
  const own = (payment: FilePayment): PaymentOf<Own> => {
    if (isOwn(payment)) return payment;
    throw new Error(`Payout ${payment.payoutId} has no destination of the kind ${kind}.`);
  };
  return {
    kind,
    limit: writer.limit,
    findProblem: (payment, currency) => writer.findProblem(own(payment), currency),
    write: (payments, context) => writer.write(payments.map(own), context),
    readFigures: writer.readFigures,
  };
}

const formatAmount = (amount: Minor, currency: string): string => toNumber(amount, currency).toFixed(decimalsOf(currency));

/** Neutralizing would change where the money goes. */
const formulaProblem = (field: string, text: string): string | null =>
  isFormula(text) ? `${field} begins with ${text[0]}, which spreadsheets take for a formula` : null;

const sepa = ofKind('banktransfer', {
  // Banks accept more; this many are a file of 80 MB.
  limit: 100_000,
  findProblem({ destination: { holder, iban, town }, amount }) {
    if (!isReachableBySepa(iban)) return `${iban.slice(0, 2)} does not take part in SEPA`;
    if (!isLegible(holder)) return 'holder has no Latin letters, which SEPA needs';
    if (!isLegible(town)) return 'town has no Latin letters, which SEPA needs';
    return amount > maxSepaAmount ? 'the amount is larger than a SEPA credit transfer may be' : null;
  },
  write: writeSepa,
  readFigures: readSepaFigures,
});

/** What PayPal pays out, by its list of supported currencies, and those of which it takes whole amounts alone. */
const ofPaypal = new Set('AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '));
const wholeAtPaypal = new Set(['HUF', 'JPY', 'TWD']);

/** Why files of this format cannot pay in a currency, as a sentence. Null if they can. */
export function findCurrencyProblem(format: PayoutFileFormat, currency: string): string | null {
  if (format === 'sepa' && currency !== 'EUR') return `SEPA files pay in EUR, and store.currency is ${currency}.`;
  return format === 'paypal' && !ofPaypal.has(currency) ? `PayPal does not pay out in ${currency}, the store.currency.` : null;
}

const formatForPaypal = (amount: Minor, currency: string): string =>
  wholeAtPaypal.has(currency) ? String(toNumber(amount, currency)) : formatAmount(amount, currency);

/** PayPal Payouts: recipient, amount, currency, own id, note; no header. */
const paypal = ofKind('paypal', {
  limit: 5000,
  findProblem({ destination, amount }, currency) {
    if (wholeAtPaypal.has(currency) && !Number.isInteger(toNumber(amount, currency)))
      return `PayPal pays whole amounts of ${currency} alone, and this is ${formatAmount(amount, currency)}`;
    return formulaProblem('email', destination.email);
  },
  write: (payments, context) =>
    formatCsv(
      payments.map((payment) => [
        payment.destination.email,
        formatForPaypal(payment.amount, context.currency),
        context.currency,
        `PAYOUT-${payment.payoutId}`,
        describePayment(payment, context),
      ]),
    ),
  readFigures: (text, currency) => readCsvFigures(text, 1, currency, 0),
});

const wiseLimit = 1000;

/** With the store's currency the recipient gets the exact amount; with another one, what the amount is worth. */
const wiseCurrencies = ({ currency: target }: WiseDestination, { currency }: FileContext) =>
  target === '' || target === currency ? { target: currency, fixed: 'target' } : { target, fixed: 'source' };

const wiseReference = ({ payoutId }: FilePayment): string => `PAYOUT-${payoutId}`;

const wiseEmailHeader = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency'.split(',');

const wiseEmail = ofKind('wisebank', {
  limit: wiseLimit,
  findProblem: ({ destination: { email } }) =>
    email === '' ? 'it has a recipient_id: use the format wise-saved' : formulaProblem('email', email),
  write: (payments, context) =>
    formatCsv([
      wiseEmailHeader,
      ...payments.map((payment) => {
        const { target, fixed } = wiseCurrencies(payment.destination, context);
        const { holder, email } = payment.destination;
        const amount = formatAmount(payment.amount, context.currency);
        return [holder, email, wiseReference(payment), 'PERSON', fixed, amount, context.currency, target];
      }),
    ]),
  readFigures: (text, currency) => readCsvFigures(text, wiseEmailHeader.indexOf('amount'), currency, 1),
});

const wiseSavedHeader =
  'recipientId,name,recipientEmail,recipientDetail,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,receiverType'.split(
    ',',
  );

const wiseSaved = ofKind('wisebank', {
  limit: wiseLimit,
  findProblem: ({ destination }) => (destination.recipient_id === '' ? 'it has no recipient_id: use the format wise-email' : null),
  write: (payments, context) =>
    formatCsv([
      wiseSavedHeader,
      ...payments.map((payment) => {
        const { target, fixed } = wiseCurrencies(payment.destination, context);
        const { holder, recipient_id: id } = payment.destination;
        const amount = formatAmount(payment.amount, context.currency);
        // Wise identifies the recipient by its id; email and detail are for readers of the file.
        return [id, holder, '', '', context.currency, target, fixed, amount, wiseReference(payment), 'PERSON'];
      }),
    ]),
  readFigures: (text, currency) => readCsvFigures(text, wiseSavedHeader.indexOf('amount'), currency, 1),
});

const csvHeader = 'payout_id,user_id,name,coupon_code,amount,currency,method_type,method,details'.split(',');

/** All methods, for stores that pay by hand or convert the file. */
const csv: FileFormat = {
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

export const fileWriters: Readonly<Record<PayoutFileFormat, FileFormat>> = {
  sepa,
  paypal,
  'wise-email': wiseEmail,
  'wise-saved': wiseSaved,
  csv,
};
