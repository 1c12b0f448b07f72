import { expect } from 'chai';
import { formatMoment, parseMoment } from '../../domain/records/formats.ts';
import { recordsIn } from './import-support.ts';

const order = { kind: 'order', order_id: 1, coupon_id: 7, date: '2026-11-02T09:30:00', status: 'completed', total: 10 };
const text = (changed: object): string => JSON.stringify({ ...order, ...changed });

async function read(file: string | Buffer, description: object = {}, chunkSize?: number): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const lines of recordsIn(file, description, chunkSize))
    read.push(...lines.map((line) => ('reason' in line ? `${line.line}: ${line.reason}` : line)));
  return read;
}

/** The data of the first line, or why it is rejected. */
async function first(file: string | Buffer, description: object = {}): Promise<unknown> {
  const [line] = await read(file, description);
  return typeof line === 'string' ? line : (line as { data: unknown }).data;
}

describe('the reader of program files', () => {
  describe('with NDJSON', () => {
    const cases: [title: string, file: string | Buffer, read: unknown[]][] = [
      ['skips blank lines and counts them', `\n\n{}\n`, ['3: kind is missing.']],
      [
        'accepts a last line without a line break',
        '{"kind":"x"}',
        ['1: kind must be one of user, coupon, order, click, registration, payout_details.'],
      ],
      ['rejects a line that is not JSON', '{"kind":"order"', ['1: The line is not a JSON object.']],
      ['rejects JSON that is not an object', '[1]\n7\nnull\n"a"', [1, 2, 3, 4].map((line) => `${line}: The line is not a JSON object.`)],
      ['rejects bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), ['1: The line is not UTF-8 text.']],
      ['names every field that is missing', '{"kind":"user","login":"ada"}', ['1: email is missing. display_name is missing.']],
      ['treats null and empty text as a missing field', text({ status: null, date: '' }), ['1: date is missing. status is missing.']],
    ];
    for (const [title, file, expected] of cases) it(title, async () => expect(await read(file)).to.deep.equal(expected));

    it('treats null inside a profile as a missing field', async () => {
      const user = { kind: 'user', login: 'ada', email: 'ada@example.com', display_name: 'Ada', profile: { phone: null, website: '' } };
      expect(await first(JSON.stringify(user)))
        .to.have.nested.property('user.profile')
        .that.deep.equals({ website: '' });
    });

    it('accepts a byte order mark and Windows line ends', async () => {
      expect(await read(`\uFEFF${text({})}\r\n${text({ order_id: 2 })}\r\n`)).to.have.length(2);
    });

    it('returns the same records wherever the stream is split', async () => {
      const file = `\uFEFF${text({ campaign: 'Grüße 🏔' })}\r\n\r\nbad\n${text({ order_id: 2 })}`;
      const whole = await read(file);
      expect(whole).to.have.length(3);
      for (const size of [1, 2, 3, 7]) expect(await read(file, {}, size)).to.deep.equal(whole);
    });

    it('rejects a line that is too long, and no other', async () => {
      const long = text({ campaign: 'x'.repeat(2 ** 20) });
      expect(await read(`${long}\nbad\n`)).to.deep.equal([
        '1: The line is longer than 1048576 bytes.',
        '2: The line is not a JSON object.',
      ]);
    });

    it('names every problem of a line at once, and the closest field for an unknown one', async () => {
      expect(await first(text({ coupon: 'ANNA10', total: 'a lot', status: 'done' }))).to.equal(
        '1: status must be one of pending, processing, on-hold, completed, failed, cancelled, refunded. ' +
          'total must be an amount in EUR, zero or more, as a number with at most 2 decimals. ' +
          'order has no field coupon. Did you mean coupon_code?',
      );
      expect(await first(text({ coupon: 7 }))).to.equal('1: order has no field coupon. Did you mean coupon_id?');
      expect(await first(text({ Total: null }))).to.equal('1: order has no field Total. Did you mean total?');
      expect(await first(text({ ['x'.repeat(100_000)]: 1 }))).to.match(/^1: order has no field x{60}…\. Its fields are /);
    });

    it('uses the kind of the file for lines that name none', async () => {
      const { kind: _kind, ...rest } = order;
      expect(await first(JSON.stringify(rest), { kind: 'order' })).to.deep.equal(await first(text({})));
    });
  });

  describe('with CSV', () => {
    const header = 'order_id,coupon_id,date,status,total,campaign';
    const row = '1,7,2026-11-02T09:30:00,completed,10,';
    const csv = { name: 'orders.csv' };

    it('returns the same records as for NDJSON', async () => {
      expect(await read(`${header}\n${row}\n`, csv)).to.deep.equal([{ ...((await read(text({})))[0] as object), line: 2 }]);
    });

    it('recognises the format by the content when the name does not say it', async () => {
      expect(await read(`${header}\n${row}`, { name: '', kind: 'order' })).to.have.length(1);
      expect(await read(text({}), { name: '' })).to.have.length(1);
    });

    for (const name of ['orders.csv', 'Order-2026-11.csv', '/tmp/order.csv'])
      it(`reads the kind from the file name ${name}`, async () => expect(await read(`${header}\n${row}`, { name })).to.have.length(1));

    it('keeps commas, quotes and line breaks of quoted fields, and numbers a row by its first line', async () => {
      const file = `\uFEFF${header}\r\n${row}"a,""b""\r\nc"\r\n${row}\r\nx\r\n`;
      const [quoted, , bad] = await read(file, csv);
      expect((quoted as { data: { campaign: string } }).data.campaign).to.equal('a,"b"\nc');
      expect(bad).to.equal('5: The line has 1 fields, but the header has 6.');
    });

    const broken: [title: string, cell: string, reasons: string[]][] = [
      [
        'a quote inside a field',
        'a"b"c',
        ['2: There is a quote in the middle of a field: put the whole field in quotes, and double the quotes in it.'],
      ],
      [
        'text after a quoted field',
        '"a"b',
        ['2: There is a quote in the middle of a field: put the whole field in quotes, and double the quotes in it.'],
      ],
      ['a quote that is not closed', '"a', ['2: A quote is not closed.']],
    ];
    for (const [title, cell, reasons] of broken)
      it(`rejects the line with ${title}, and no other`, async () => {
        const lines = await read(`${header}\n${row}${cell}\n${row}\n${row}\n`, csv);
        expect(lines.filter((line) => typeof line === 'string')).to.deep.equal(reasons);
        expect(lines).to.have.length(3);
      });

    it('reads JSON in the cells of objects', async () => {
      const file = 'login,email,display_name,groups,custom_fields\nada,ada@example.com,Ada,"[""a""]","{""n"":1}"\n';
      const data = (await first(file, { name: 'users.csv' })) as { user: object };
      expect(data.user).to.deep.include({ groups: ['a'], customFields: { n: 1 } });
      expect(await first(file.replace('{', '['), { name: 'users.csv' })).to.equal('2: custom_fields must be a JSON object.');
    });

    const unreadable: [title: string, file: string, description: object, sentence: string][] = [
      ['of unknown kind', `${header}\n`, { name: 'a.csv' }, 'Use --kind to say what the lines of this file are: user'],
      ['without a required column', 'order_id,date\n', csv, 'Missing: status, total.'],
      [
        'with semicolons',
        `${header.replaceAll(',', ';')}\n`,
        csv,
        'The header must name the required fields of order, separated by commas.',
      ],
      ['that names a column twice', `${header},total\n`, csv, 'The header names total twice.'],
      ['with an unknown column', `${header},coupon\n`, csv, 'order has no field coupon. Did you mean coupon_id or coupon_code?'],
    ];
    for (const [title, file, description, sentence] of unreadable)
      it(`rejects a file ${title} as a whole`, async () => {
        const error = await read(file, description).catch((thrown: Error) => thrown.message);
        expect(error).to.include(sentence);
      });
  });

  describe('with an invalid field', () => {
    const user = { kind: 'user', login: 'ada', email: 'ada@example.com', display_name: 'Ada' };
    const coupon = { kind: 'coupon', code: 'ADA10' };
    const click = { kind: 'click', date: '2026-11-02', visitor: 'v' };
    const money = 'must be an amount in EUR, zero or more, as a number with at most 2 decimals.';
    const date = 'must be a date that exists, such as 2026-11-02T09:30:00 (store time) or 2026-11-02T08:30:00Z.';
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    const cases: [fields: object, reason: string][] = [
      [{ ...order, total: 10.005 }, `total ${money}`],
      [{ ...order, total: '10' }, `total ${money}`],
      [{ ...order, total: -1 }, `total ${money}`],
      [{ ...order, total: 1e300 }, `total ${money}`],
      [{ ...order, order_id: 0 }, 'order_id must be a whole number from 1 to 4999999999999999.'],
      [{ ...order, order_id: '7' }, 'order_id must be a whole number from 1 to 4999999999999999.'],
      [{ ...order, quantity: 1.5 }, 'quantity must be a whole number from 0 to 1000000.'],
      [{ ...order, status: 'done' }, 'status must be one of pending, processing, on-hold, completed, failed, cancelled, refunded.'],
      [{ ...order, date: '2026-02-30' }, `date ${date}`],
      [{ ...order, date: '02.11.2026' }, `date ${date}`],
      [{ ...order, date: '1969-12-31' }, `date ${date}`],
      [{ ...order, date: 1_777_777_777 }, `date ${date}`],
      [{ ...order, campaign: 'a\0b' }, 'campaign contains characters that cannot be stored.'],
      [{ ...order, campaign: 'a\uD800b' }, 'campaign contains characters that cannot be stored.'],
      [{ ...user, login: 'a b' }, 'login must be made of letters, digits and any of . _ @ -.'],
      [{ ...user, email: 'ada' }, 'email must be an email address, such as ada@example.com.'],
      [{ ...user, email: 'ada,bob@example.com' }, 'email must be an email address, such as ada@example.com.'],
      [{ ...user, display_name: 'A\nda' }, 'display_name must be on one line.'],
      [{ ...user, role: 'boss' }, 'role must be one of administrator, manager, affiliate, customer.'],
      [{ ...user, id: 2 ** 53 }, 'id must be a whole number from 1 to 1000000000000.'],
      [{ ...user, profile: { phone: 7 } }, 'profile.phone must be text.'],
      [{ ...user, profile: { web: 'x' } }, 'profile has no field web. Did you mean website?'],
      [{ ...user, profile: { website: 'javascript:alert(1)' } }, 'profile.website must be an http or https address.'],
      [{ ...user, groups: ['a', 7] }, 'groups[1] must be text.'],
      [{ ...user, custom_fields: nested(101) }, 'custom_fields must not be nested more than 100 times.'],
      [{ ...user, groups: 'a' }, 'groups must be a JSON array of at most 1000 texts.'],
      [{ ...coupon, percent: 100.5 }, 'percent must be a number of percent from 0 to 100, with at most 3 decimals.'],
      [{ ...coupon, percent: 1.0001 }, 'percent must be a number of percent from 0 to 100, with at most 3 decimals.'],
      [{ ...coupon, discount_amount: 101 }, 'discount_amount must be a number of percent from 0 to 100, with at most 3 decimals.'],
      [{ ...coupon, discount_type: 'fixed_cart', discount_amount: 1.001 }, `discount_amount ${money}`],
      [{ ...click, visitor: 'v'.repeat(201) }, 'visitor must be at most 200 characters.'],
      [{ kind: 'payout_details', user: 'ada', method: 'PayPal', method_type: 'paypal' }, 'details is missing.'],
      [
        { kind: 'payout_details', user: 'ada', method: 'x', method_type: 'cash', details: {} },
        'method_type must be one of paypal, banktransfer, stripeapi, wisebank, credit, custom.',
      ],
    ];
    for (const [fields, reason] of cases)
      it(`reports ${reason}`, async () => expect(await first(JSON.stringify(fields))).to.equal(`1: ${reason}`));
  });

  it('removes the spaces around names and codes, of which nothing else is a missing field', async () => {
    const user = { kind: 'user', login: 'ada', email: 'ada@example.com' };
    expect(await first(JSON.stringify({ ...user, display_name: ' Ada Trail\t' }))).to.have.nested.property('user.displayName', 'Ada Trail');
    expect(await first(JSON.stringify({ kind: 'coupon', code: ' TRAIL10 ' }))).to.have.nested.property('coupon.code', 'TRAIL10');
    expect(await first(JSON.stringify({ ...user, display_name: ' ' }))).to.equal('1: display_name is missing.');
  });

  it('reads amounts exactly', async () => {
    expect(await first(text({ total: 179.8, discount: 17.98, tax: 0.07 }))).to.include({ total: 17_980, discount: 1798, tax: 7 });
  });
});

describe('the dates of program files', () => {
  const cases: [written: string, zone: string, utc: string][] = [
    ['2026-11-02T09:30:00', 'Europe/Berlin', '2026-11-02T08:30:00.000Z'],
    ['2026-11-02 09:30', 'Europe/Berlin', '2026-11-02T08:30:00.000Z'],
    ['2026-11-02', 'Europe/Berlin', '2026-11-01T23:00:00.000Z'],
    ['2026-11-02T09:30:00Z', 'Europe/Berlin', '2026-11-02T09:30:00.000Z'],
    ['2026-11-02T09:30:00.25-05:30', 'Europe/Berlin', '2026-11-02T15:00:00.250Z'],
    ['2026-11-02T09:30:00.123456+0100', 'UTC', '2026-11-02T08:30:00.123Z'],
    // The clock is set from 02:00 to 03:00: the hour between does not exist.
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    // The clock is set from 03:00 back to 02:00: the hour between is repeated.
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30:00+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['2026-09-06T00:30:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-06-01T12:00:00', 'Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
  ];
  for (const [written, zone, utc] of cases)
    it(`read ${written} in ${zone} as ${utc}`, () =>
      expect(new Date(parseMoment(written, zone) ?? Number.NaN).toISOString()).to.equal(utc));

  for (const written of [
    '2026-13-01',
    '2026-11-31',
    '2026-11-02T24:00:00',
    '2026-11-02T09:60',
    '2026-11-02T09',
    '2026-11-02T09:30:00+15:00',
    '',
  ])
    it(`reject ${JSON.stringify(written)}`, () => expect(parseMoment(written, 'UTC')).to.equal(null));

  it('are the same after an export and an import, through every change of the clock', () => {
    const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC'];
    for (const zone of zones)
      for (let moment = Date.parse('2026-01-01T00:00:00.500Z'); moment < Date.parse('2027-01-01'); moment += 1_234_567) {
        expect(parseMoment(formatMoment(moment, zone), zone)).to.equal(moment);
      }
  });
});
