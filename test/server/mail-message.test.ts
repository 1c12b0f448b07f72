import { expect } from 'chai';
import fc from 'fast-check';
import type { Mail } from '../../domain/mail/mail.ts';
import { renderMailBody } from '../../domain/mail/mail-template.ts';
import { composeMessage } from '../../server/mail/mail-message.ts';
import { parseEml } from '../support/eml.ts';

const mailWith = (mail: Partial<Mail> = {}): Mail => ({
  id: 7,
  from: { name: 'Fjell', address: 'no-reply@fjell.example' },
  to: { name: 'Trail Notes', address: 'hello@trailnotes.example' },
  subject: 'Fjell: your application was accepted',
  text: 'Hello.\n',
  html: '<p>Hello.</p>\n',
  createdAt: Date.parse('2026-11-02T07:00:00Z'),
  ...mail,
});

const headerNames = ['date', 'from', 'to', 'message-id', 'subject', 'auto-submitted', 'mime-version', 'content-type'];
/** One line, as a header shows it. */
const asShown = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
/** What can be written in UTF-8 at all, with every kind of character that means something somewhere on the way. */
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
        '--=_part_7',
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

describe('a mail as a message', () => {
  it('has the headers that mail programs want, and reads as it is where it can', () => {
    const message = composeMessage(mailWith());
    const { headers, parts } = parseEml(message);
    expect(Object.fromEntries(headers)).to.deep.equal({
      date: 'Mon, 02 Nov 2026 07:00:00 +0000',
      from: 'Fjell <no-reply@fjell.example>',
      to: 'Trail Notes <hello@trailnotes.example>',
      'message-id': '<mail-7-1793602800000@fjell.example>',
      subject: 'Fjell: your application was accepted',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
      'content-type': 'multipart/alternative; boundary="=_part_7"',
    });
    expect(parts.map(({ type }) => type)).to.deep.equal(['text/plain; charset=utf-8', 'text/html; charset=utf-8']);
    expect(message).to.include('\r\n\r\nHello.\r\n');
  });

  it('is made the same every time, so that writing it twice changes nothing', () => {
    expect(composeMessage(mailWith())).to.equal(composeMessage(mailWith()));
  });

  it('carries any name, subject and text unharmed, in short lines of ASCII, and never a header more', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (name, subject, text, html) => {
        const to = { name, address: 'a@b.example' };
        const message = composeMessage(mailWith({ to, subject, text, html }));
        expect(message).to.match(/^[\t\r\n -~]*$/);
        const { headers, parts } = parseEml(message);
        expect([...headers.keys()]).to.deep.equal(headerNames);
        expect(headers.get('to')).to.equal(`${asShown(name)} <a@b.example>`.trim());
        expect(headers.get('subject')).to.equal(asShown(subject));
        const read = (written: string): string => written.replaceAll(/\r\n|\r/g, '\n');
        expect(parts.map((part) => part.text)).to.deep.equal([read(text), read(html)]);
      }),
      { numRuns: 500 },
    );
  });

  it('is not made for an address that would be more than an address', () => {
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
    for (const address of addresses)
      expect(() => composeMessage(mailWith({ to: { name: '', address } })), address).to.throw(
        'A mail has an address that cannot stand in a header.',
      );
  });
});

describe('a letter', () => {
  it('says the same in both forms, and nothing that people wrote becomes markup', () => {
    const { text, html } = renderMailBody('R&D <news>', ['Dear <script>alert("x")</script>,', "It's\ntwo lines & more."]);
    expect(text).to.equal('Dear <script>alert("x")</script>,\n\nIt\'s\ntwo lines & more.\n');
    expect(html).to.include('<title>R&amp;D &lt;news&gt;</title>');
    expect(html).to.include('<p>Dear &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;,</p>');
    expect(html).to.include('<p>It&#39;s<br>\ntwo lines &amp; more.</p>');
  });
});
