import { expect } from 'chai';
import { formatCsv, parseCsv } from '../../domain/payouts/files/csv.ts';
import { fileWriters, findCurrencyProblem, type PayoutFileFormat } from '../../domain/payouts/files/formats.ts';
import type { FileContext, FilePayment } from '../../domain/payouts/files/payment.ts';
import { toSepaText } from '../../domain/payouts/files/sepa-text.ts';
import { findSepaFaults } from '../support/pain-001.ts';
import { seededRandom } from '../support/random.ts';

const payer = { name: 'Trail & Shop GmbH', iban: 'DE89370400440532013000', bic: '', town: 'Köln', country: 'DE' };
const now = Date.parse('2026-11-30T23:30:00Z');
const context: FileContext = { batchId: 12, storeName: 'Trail <Shop>', currency: 'EUR', payer, now, day: '2026-12-01' };

const payment = (payoutId: number, amount: number, destination: FilePayment['destination'], payee = 'Nora'): FilePayment => ({
  payoutId,
  amount,
  destination,
  payee,
  userId: 7,
  couponCode: 'TRAIL10',
  method: 'Any',
  methodType: destination?.kind ?? 'custom',
  details: { ...destination },
});
const bank = (over: Record<string, string> = {}) =>
  ({
    kind: 'banktransfer',
    holder: 'Jürgen Ås-Łuczak',
    iban: 'GB82WEST12345698765432',
    bic: 'MIDLGB22',
    street: 'Straße 1',
    postcode: '50667',
    town: 'Kraków',
    country: 'PL',
    ...over,
  }) as FilePayment['destination'];
const wise = (over: Record<string, string> = {}) =>
  ({ kind: 'wisebank', holder: 'Ada', email: 'ada@pay.example', recipient_id: '', currency: '', ...over }) as FilePayment['destination'];
const write = (format: PayoutFileFormat, payments: FilePayment[], over: Partial<FileContext> = {}): string =>
  fileWriters[format].write(payments, { ...context, ...over });

describe('a SEPA file', () => {
  const random = seededRandom(7);
  const payments = Array.from({ length: 50 }, (_, index) =>
    payment(500 + index, 1 + random.below(10_000_000), bank(index % 2 ? { bic: '', street: '', postcode: '' } : {})),
  );
  const xml = write('sepa', payments);
  const textsOf = (name: string): string[] => [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)<`, 'g'))].map(([, text = '']) => text);

  it('has the structure, texts, identifiers and figures that pain.001.001.09 and SEPA document', () => {
    expect(findSepaFaults(xml)).to.deep.equal([]);
    expect([textsOf('Dt'), textsOf('CreDtTm')]).to.deep.equal([['2026-12-01'], ['2026-11-30T23:30:00Z']]);
    expect([textsOf('PmtInfId').length, textsOf('BICFI').length, textsOf('TwnNm').length]).to.deep.equal([1, 25, 51]);
    expect(xml.match(/NOTPROVIDED/g), 'the bank of the payer').to.have.length(1);
    expect(textsOf('Nm').slice(0, 3)).to.deep.equal(['Trail + Shop GmbH', 'Trail + Shop GmbH', 'Jurgen As-Luczak']);
    expect(textsOf('Ustrd')[0]).to.equal('Trail .Shop. payout 500 TRAIL10');
    expect(toSepaText("O'Neil & <Söhne> №1", 70)).to.equal("O'Neil + .Sohne. .1");
    const hostile = ['//Ann// /', "O'Neil & <Söhne>", 'x'.repeat(300), '=1+1'].map((holder, index) =>
      payment(index + 1, 1, bank({ holder })),
    );
    expect(findSepaFaults(write('sepa', hostile, { payer: { ...payer, bic: 'COBADEFFXXX' } }))).to.deep.equal([]);
  });

  it('would be found to be invalid by the check above if anything in it was different', () => {
    const changes: [string, RegExp | string, string, RegExp][] = [
      ['order', /(<CdtrAcct>[^]*?<\/CdtrAcct>)\s*(<RmtInf>[^]*?<\/RmtInf>)/, '$2$1', /CdtTrfTxInf has PmtId .*RmtInf CdtrAcct/],
      ['a missing element', /<PmtMtd>TRF<\/PmtMtd>/, '', /PmtInf has PmtInfId BtchBookg/],
      ['an unknown element', '<BtchBookg>', '<Extra>1</Extra><BtchBookg>', /Extra/],
      ['an identifier of 36 characters', /(<MsgId>)[^<]*/, `$1${'x'.repeat(36)}`, /MsgId is/],
      ['an identifier that is used twice', 'PAYOUT-501-12', 'PAYOUT-500-12', /used twice/],
      ['a character outside of the set', 'Jurgen', 'Jürgen', /Nm is "Jürgen/],
      ['two slashes', 'Jurgen', 'Jur//gen', /Nm is/],
      ['the sum of the header', /<CtrlSum>\d+/, '<CtrlSum>1', /GrpHdr\/CtrlSum/],
      ['the count of the block', /(<PmtInfId>[^]*?<NbOfTxs>)50/, '$149', /PmtInf\/NbOfTxs/],
      ['an amount', /(<InstdAmt Ccy="EUR">)[^<]*/, '$10.01', /CtrlSum/],
      ['a currency', 'Ccy="EUR"', 'Ccy="USD"', /InstdAmt/],
      ['check digits', 'GB82WEST', 'GB83WEST', /IBAN is/],
      ['an address without a town', /<TwnNm>Krakow<\/TwnNm>/, '', /PstlAdr has no TwnNm/],
      ['an address without a country', /<Ctry>PL<\/Ctry>/, '', /PstlAdr has no Ctry/],
      ['a day', '<Dt>2026-12-01', '<Dt>2026-02-30', /Dt is/],
      ['charges', 'SLEV', 'SHAR', /ChrgBr is/],
      ['a BIC', 'MIDLGB22', 'MIDLGB2', /BICFI is/],
      ['the version', 'pain.001.001.09', 'pain.001.001.03', /namespace/],
    ];
    for (const [what, from, to, fault] of changes) {
      const changed = xml.replace(from, to);
      expect(changed, what).not.to.equal(xml);
      expect(findSepaFaults(changed).join('\n'), what).to.match(fault);
    }
  });

  it('has the count and the control sum of its payments, at both levels, to the cent', () => {
    const total = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const sum = `${total / 100n}.${String(total % 100n).padStart(2, '0')}`;
    expect(textsOf('CtrlSum')).to.deep.equal([sum, sum]);
    expect(textsOf('NbOfTxs')).to.deep.equal(['50', '50']);
    expect(fileWriters.sepa.readFigures(xml, 'EUR')).to.deep.equal({ count: 50, total: Number(total) });
    expect(() => fileWriters.sepa.readFigures(xml.replace(`<CtrlSum>${sum}`, '<CtrlSum>0.01'), 'EUR')).to.throw('control sums');
  });

  it('leaves out accounts outside of SEPA, illegible names, and amounts that are too large', () => {
    const find = (over: Record<string, string>, amount = 100) => fileWriters.sepa.findProblem(payment(1, amount, bank(over)), 'EUR');
    expect(find({})).to.equal(null);
    expect(find({ iban: 'TR330006100519786457841326' })).to.include('TR');
    expect(find({ holder: '山田太郎' })).to.include('holder');
    expect(find({ town: '東京' })).to.include('town');
    expect(find({}, 100_000_000_000)).to.include('amount');
  });
});

describe('payout files as CSV', () => {
  it('PayPal: recipient, amount, currency, own id, note; without a header', () => {
    const paypal = { kind: 'paypal', email: 'ada@pay.example' } as const;
    const text = write('paypal', [payment(1, 1234, paypal), payment(2, 5, paypal)], { currency: 'EUR' });
    expect(parseCsv(text)).to.deep.equal([
      ['ada@pay.example', '12.34', 'EUR', 'PAYOUT-1', 'Trail <Shop> payout 1 TRAIL10'],
      ['ada@pay.example', '0.05', 'EUR', 'PAYOUT-2', 'Trail <Shop> payout 2 TRAIL10'],
    ]);
    expect(fileWriters.paypal.readFigures(text, 'EUR')).to.deep.equal({ count: 2, total: 1239 });
    expect(fileWriters.paypal.limit).to.equal(5000);
    expect(fileWriters.paypal.findProblem(payment(1, 1, { ...paypal, email: '+a@pay.example' }), 'EUR')).to.include('formula');
  });

  it('PayPal: whole amounts of the currencies that it takes without decimals, and no currency that it does not pay out', () => {
    const paypal = { kind: 'paypal', email: 'ada@pay.example' } as const;
    for (const [currency, whole, written, fraction] of [
      ['HUF', 123_400, '1234', 123_450],
      ['TWD', 5000, '50', 5001],
      ['JPY', 1234, '1234', null],
    ] as const) {
      const text = write('paypal', [payment(1, whole, paypal)], { currency });
      expect(parseCsv(text)[0]?.slice(1, 3)).to.deep.equal([written, currency]);
      expect(fileWriters.paypal.readFigures(text, currency)).to.deep.equal({ count: 1, total: whole });
      expect(fileWriters.paypal.findProblem(payment(1, whole, paypal), currency)).to.equal(null);
      if (fraction !== null)
        expect(fileWriters.paypal.findProblem(payment(1, fraction, paypal), currency)).to.include(`whole amounts of ${currency} alone`);
    }
    expect(fileWriters.paypal.findProblem(payment(1, 1, paypal), 'USD')).to.equal(null);
    expect(['USD', 'KWD', 'ISK'].map((currency) => findCurrencyProblem('paypal', currency) === null)).to.deep.equal([true, false, false]);
    expect(findCurrencyProblem('csv', 'KWD')).to.equal(null);
  });

  it('Wise: its columns for email addresses and for saved recipients', () => {
    const text = write('wise-email', [payment(1, 1000, wise()), payment(2, 2000, wise({ currency: 'GBP' }))]);
    expect(parseCsv(text)).to.deep.equal([
      'name recipientEmail paymentReference receiverType amountCurrency amount sourceCurrency targetCurrency'.split(' '),
      ['Ada', 'ada@pay.example', 'PAYOUT-1', 'PERSON', 'target', '10.00', 'EUR', 'EUR'],
      ['Ada', 'ada@pay.example', 'PAYOUT-2', 'PERSON', 'source', '20.00', 'EUR', 'GBP'],
    ]);
    const saved = wise({ email: '', recipient_id: '4711' });
    const savedInPounds = wise({ email: '', recipient_id: '4711', currency: 'GBP' });
    const savedText = write('wise-saved', [payment(3, 1000, saved), payment(4, 2000, savedInPounds)], { currency: 'JPY' });
    expect(parseCsv(savedText)).to.deep.equal([
      [
        'recipientId',
        'name',
        'recipientEmail',
        'recipientDetail',
        'sourceCurrency',
        'targetCurrency',
        'amountCurrency',
        'amount',
        'paymentReference',
        'receiverType',
      ],
      ['4711', 'Ada', '', '', 'JPY', 'JPY', 'target', '1000', 'PAYOUT-3', 'PERSON'],
      ['4711', 'Ada', '', '', 'JPY', 'GBP', 'source', '2000', 'PAYOUT-4', 'PERSON'],
    ]);
    expect(fileWriters['wise-saved'].readFigures(savedText, 'JPY')).to.deep.equal({ count: 2, total: 3000 });
    expect(fileWriters['wise-email'].findProblem(payment(3, 1, saved), 'EUR')).to.include('wise-saved');
    expect(fileWriters['wise-saved'].findProblem(payment(3, 1, wise()), 'EUR')).to.include('wise-email');
    expect([fileWriters['wise-email'].limit, fileWriters['wise-saved'].limit]).to.deep.equal([1000, 1000]);
  });

  it('plain: every method with its details, and no cell that a spreadsheet runs', () => {
    for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']) {
      const text = write('csv', [payment(1, 100, null, `${start}cmd|' /C calc'!A0, "x"\nline`)]);
      const [, row = []] = parseCsv(text);
      expect(row[2]).to.equal(`'${start}cmd|' /C calc'!A0, "x"\nline`);
      expect(fileWriters.csv.readFigures(text, 'EUR')).to.deep.equal({ count: 1, total: 100 });
    }
    expect(formatCsv([['a', 'b"c', '1,5']])).to.equal('a,"b""c","1,5"\r\n');
    const separated = [['a;=cmd', 'b\t=cmd', '=a;b']];
    expect(formatCsv(separated)).to.equal(`"a;=cmd","b\t=cmd","'=a;b"\r\n`);
    expect(parseCsv(formatCsv(separated))).to.deep.equal([['a;=cmd', 'b\t=cmd', "'=a;b"]]);
  });
});
