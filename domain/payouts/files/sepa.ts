import { decimalsOf, type Minor, toNumber } from '../../money.ts';
import { readAmount } from './csv.ts';
import { type BankPayment, describePayment, type FileContext, type FileFigures } from './payment.ts';
import { escapeXml, toSepaText } from './sepa-text.ts';

// ISO 20022 pain.001.001.09 with the rules of the SEPA credit transfer: one debit account, EUR, charges shared, structured addresses.

/** Countries whose accounts a SEPA credit transfer reaches. */
const reachable = new Set(
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'.split(
    ' ',
  ),
);

export const isReachableBySepa = (iban: string): boolean => reachable.has(iban.slice(0, 2));

/** 999,999,999.99 EUR. */
export const maxSepaAmount: Minor = 99_999_999_999;

/** Elements are arrays of a name and either a text or further elements. Null leaves an element out. */
type Content = string | readonly (Element | null)[];
type Element = readonly [name: string, content: Content, attributes?: string];

function render([name, content, attributes = '']: Element, indent = ''): string {
  if (typeof content === 'string') return `${indent}<${name}${attributes}>${escapeXml(content)}</${name}>\n`;
  const inner = content.map((element) => (element === null ? '' : render(element, `${indent}  `))).join('');
  return `${indent}<${name}${attributes}>\n${inner}${indent}</${name}>\n`;
}

const optional = (name: string, text: string): Element | null => (text === '' ? null : [name, text]);

/** Unique for the bank, which recognises a file that is sent twice by it. At most 35 characters. */
const messageId = ({ batchId, now }: FileContext): string =>
  `BATCH-${batchId}-${new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;

const formatAmount = (amount: Minor): string => toNumber(amount, 'EUR').toFixed(decimalsOf('EUR'));

const agent = (bic: string): Element => ['FinInstnId', bic === '' ? [['Othr', [['Id', 'NOTPROVIDED']]]] : [['BICFI', bic]]];

const account = (name: string, iban: string): Element => [name, [['Id', [['IBAN', iban]]]]];

export function writeSepa(payments: readonly BankPayment[], context: FileContext): string {
  const { payer, now, day } = context;
  const id = messageId(context);
  const total = payments.reduce((sum, { amount }) => sum + amount, 0);
  const figures: Element[] = [
    ['NbOfTxs', String(payments.length)],
    ['CtrlSum', formatAmount(total)],
  ];
  const name = toSepaText(payer.name, 70);
  const header: Element = [
    'GrpHdr',
    [['MsgId', id], ['CreDtTm', `${new Date(now).toISOString().slice(0, 19)}Z`], ...figures, ['InitgPty', [['Nm', name]]]],
  ];
  const debtor: Element = [
    'Dbtr',
    [
      ['Nm', name],
      [
        'PstlAdr',
        [
          ['TwnNm', toSepaText(payer.town, 35)],
          ['Ctry', payer.country],
        ],
      ],
    ],
  ];
  const paymentInformation: Element = [
    'PmtInf',
    [
      ['PmtInfId', `${id}-1`],
      ['PmtMtd', 'TRF'],
      ['BtchBookg', 'true'],
      ...figures,
      ['PmtTpInf', [['SvcLvl', [['Cd', 'SEPA']]]]],
      ['ReqdExctnDt', [['Dt', day]]],
      debtor,
      account('DbtrAcct', payer.iban),
      ['DbtrAgt', [agent(payer.bic)]],
      ['ChrgBr', 'SLEV'],
      ...payments.map((payment) => creditTransfer(payment, context)),
    ],
  ];
  const namespace = ' xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(['Document', [['CstmrCdtTrfInitn', [header, paymentInformation]]], namespace])}`;
}

function creditTransfer(payment: BankPayment, context: FileContext): Element {
  const { payoutId, amount, destination } = payment;
  const { holder, iban, bic, street, postcode, town, country } = destination;
  const address: Element = [
    'PstlAdr',
    [
      optional('StrtNm', toSepaText(street, 70)),
      optional('PstCd', toSepaText(postcode, 16)),
      ['TwnNm', toSepaText(town, 35)],
      ['Ctry', country],
    ],
  ];
  return [
    'CdtTrfTxInf',
    [
      ['PmtId', [['EndToEndId', `PAYOUT-${payoutId}-${context.batchId}`]]],
      ['Amt', [['InstdAmt', formatAmount(amount), ' Ccy="EUR"']]],
      bic === '' ? null : ['CdtrAgt', [agent(bic)]],
      ['Cdtr', [['Nm', toSepaText(holder, 70)], address]],
      account('CdtrAcct', iban),
      ['RmtInf', [['Ustrd', toSepaText(describePayment(payment, context), 140)]]],
    ],
  ];
}

/** Adds up the single amounts, and compares them with the counts and control sums of the file. */
export function readSepaFigures(text: string): FileFigures {
  const textsOf = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const amounts = textsOf(/<InstdAmt Ccy="EUR">([^<]*)</g).map((amount) => readAmount(amount, 'EUR'));
  const figures = { count: amounts.length, total: amounts.reduce((sum, amount) => sum + amount, 0) };
  const counts = textsOf(/<NbOfTxs>([^<]*)</g);
  const sums = textsOf(/<CtrlSum>([^<]*)</g);
  const isConsistent =
    counts.length === 2 &&
    sums.length === 2 &&
    counts.every((count) => count === String(figures.count)) &&
    sums.every((sum) => readAmount(sum, 'EUR') === figures.total);
  if (!isConsistent) throw new Error('The counts and control sums of the SEPA file are not those of its payments.');
  return figures;
}
