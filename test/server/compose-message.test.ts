import { expect } from 'chai';
import fc from 'fast-check';
import type { Mail } from '../../domain/mail/mail.ts';
import { renderMailBody } from '../../domain/mail/mail-templates.ts';
import { composeMessage, UnsendableMail } from '../../server/mail/compose-message.ts';
import { parseEml } from '../support/eml.ts';
import { sampleMail } from '../support/sample-mail.ts';

const mailWith = (changes: Partial<Mail> = {}): Mail => sampleMail({ text: 'Hello.\n', html: '<p>Hello.</p>\n', ...changes });

const headerNames = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];
/** As a header shows it. */
const toOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
/** Any text, with the characters that have a meaning in headers, bodies or SMTP. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        ' ',
        '\t',
        '\0',
        '=',
        '=?UTF-8?B?',
        '?=',
        '--=_part-7-Part_1',
        '.',
        'Bcc: x@y.example',
        '"',
        ',',
        '<',
        '>',
        '😀',
      ),
    ),
  )
  .map((pieces) => pieces.join(''));

describe('composeMessage', () => {
  const compose = async (mail: Mail): Promise<string> => (await composeMessage(mail)).toString('latin1');

  it('writes the headers that mail programs expect, and plain text readably', async () => {
    const message = await compose(mailWith());
    const { headers, parts } = parseEml(message);
    expect(Object.fromEntries(headers)).to.deep.equal({
      date: 'Mon, 02 Nov 2026 07:00:00 +0000',
      from: 'Fjell & Sønner <no-reply@fjell.example>',
      to: 'Trail Notes <hello@trailnotes.example>',
      'message-id': '<mail-7-1793602800000@fjell.example>',
      subject: 'Fjell & Sønner: your application was accepted 🎿',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
      'content-type': 'multipart/alternative; boundary="=_part-7-Part_1"',
    });
    expect(parts.map(({ type }) => type)).to.deep.equal(['text/plain; charset=utf-8', 'text/html; charset=utf-8']);
    expect(message).to.include('\r\n\r\nHello.\r\n');
  });

  it('writes the same bytes every time, so that a repeated attempt changes nothing', async () => {
    expect(await compose(mailWith())).to.equal(await compose(mailWith()));
  });

  it('carries any name, subject and text unchanged, in ASCII, and never adds a header', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, anyText, async (name, subject, text, html) => {
        const to = { name, address: 'a@b.example' };
        const message = await compose(mailWith({ to, subject: `S ${subject}`, text: `T ${text}`, html: `H ${html}` }));
        expect(message).to.match(/^[\t\r\n -~]*$/);
        const { headers, parts } = parseEml(message);
        expect([...headers.keys()].toSorted()).to.deep.equal(headerNames);
        expect(headers.get('to')).to.equal(toOneLine(name) === '' ? 'a@b.example' : `${toOneLine(name)} <a@b.example>`);
        expect(headers.get('subject')).to.equal(toOneLine(`S ${subject}`));
        const asRead = (written: string): string => written.replaceAll(/\r\n|\r/g, '\n');
        expect(parts.map((part) => part.text)).to.deep.equal([asRead(`T ${text}`), asRead(`H ${html}`)]);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a recipient that is more than one address', async () => {
    const addresses = [
      'a@b.example>\r\nBcc: x@y.example',
      'a@b.example, x@y.example',
      'a b@c.example',
      'a@b@c.example',
      'a',
      '',
      '<a@b.example>',
      'a@b.example\0',
    ];
    for (const address of addresses) {
      const error: unknown = await composeMessage(mailWith({ to: { name: '', address } })).catch((thrown: unknown) => thrown);
      expect(error, address).to.be.instanceOf(UnsendableMail);
      expect(error, address).to.have.property('message', 'A mail has an address that cannot stand in a header.');
    }
  });
});

describe('renderMailBody', () => {
  it('renders the same paragraphs as text and HTML, and never turns written text into markup', () => {
    const { text, html } = renderMailBody('R&D <news>', ['Dear <script>alert("x")</script>,', "It's\ntwo lines & more."]);
    expect(text).to.equal('Dear <script>alert("x")</script>,\n\nIt\'s\ntwo lines & more.\n');
    expect(html).to.include('<title>R&amp;D &lt;news&gt;</title>');
    expect(html).to.include('<p>Dear &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;,</p>');
    expect(html).to.include('<p>It&#39;s<br>\ntwo lines &amp; more.</p>');
  });
});
