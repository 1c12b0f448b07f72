import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { MailOutcome } from '../../domain/mail/mail.ts';
import { createSmtpSender, type SmtpOptions } from '../../server/mail/smtp-sender.ts';
import { parseSmtpUrl } from '../../server/mail/smtp-url.ts';
import { certificate } from '../cli/certificate.ts';
import { MailServer, type MailServerBehaviour } from '../support/mail-server.ts';
import { sampleMail } from '../support/sample-mail.ts';
import { receiver } from './receivers.ts';

const encryptions = [
  ['smtps', 'at once'],
  ['smtp', 'starttls'],
] as const;

const lasting = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000 };

describe('createSmtpSender', () => {
  const servers: { stop(): Promise<void> }[] = [];
  const startOddServer = async (behave: (socket: Socket) => void): Promise<number> => {
    const { port, close } = await receiver(behave);
    servers.push({ stop: close });
    return port;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  const startServer = async (temper: MailServerBehaviour = {}): Promise<MailServer> => {
    const server = await MailServer.start(temper);
    servers.push(server);
    return server;
  };
  const send = (url: string, message = sampleMail(), options: SmtpOptions = {}, { signal } = new AbortController()): Promise<MailOutcome> =>
    createSmtpSender(parseSmtpUrl(url), { timeoutMs: 5000, ...options })(message, signal);

  it('delivers text and HTML with any characters in names, subject and body', async () => {
    const server = await startServer();
    expect(await send(`smtp://127.0.0.1:${server.port}`)).to.deep.equal({ kind: 'sent' });
    const [{ from, to, eml } = { from: '', to: [], eml: undefined }] = server.received;
    expect([from, to]).to.deep.equal(['no-reply@fjell.example', ['hello@trailnotes.example']]);
    expect(Object.fromEntries(eml?.headers ?? [])).to.include({
      from: 'Fjell & Sønner <no-reply@fjell.example>',
      to: 'Trail Notes <hello@trailnotes.example>',
      subject: sampleMail().subject,
      'message-id': `<mail-7-${sampleMail().createdAt}@fjell.example>`,
    });
    expect(eml?.parts.map(({ type, text }) => [type, text.trimEnd()])).to.deep.equal([
      ['text/plain; charset=utf-8', sampleMail().text.trimEnd()],
      ['text/html; charset=utf-8', sampleMail().html.trimEnd()],
    ]);
  });

  it('sends one mail to one recipient, whatever names, subject and text contain', async () => {
    const server = await startServer();
    const smuggled = 'x\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<all@evil.example>\r\nDATA\r\nBcc: eve@evil.example\r\n\r\n.\r\n';
    const message = sampleMail({
      subject: smuggled,
      text: smuggled,
      html: smuggled,
      to: { name: smuggled, address: 'hello@trailnotes.example' },
    });
    expect(await send(`smtp://127.0.0.1:${server.port}`, message)).to.deep.equal({ kind: 'sent' });
    expect(server.received.map(({ to }) => to)).to.deep.equal([['hello@trailnotes.example']]);
    expect([...(server.received[0]?.eml.headers.keys() ?? [])]).not.to.include.members(['bcc']);
  });

  it('leaves nothing with the signal of the runner, which outlives all mails, whether a mail was sent or failed', async () => {
    const server = await startServer({ recipient: (address) => (address.startsWith('hello@') ? undefined : '550 no such user') });
    const controller = new AbortController();
    const [url, unknown] = [`smtp://127.0.0.1:${server.port}`, sampleMail({ to: { name: 'Eve', address: 'eve@evil.example' } })];
    for (const message of [sampleMail(), unknown, sampleMail()]) await send(url, message, {}, controller);
    expect(server.received).to.have.length(2);
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([]);
  });

  for (const address of [
    'a@b.example>\r\nRCPT TO:<eve@evil.example',
    'a@b.example\nBcc: eve@evil.example',
    'a@b.example, eve@evil.example',
  ])
    it(`fails permanently without sending to an address that is more than one address: ${JSON.stringify(address)}`, async () => {
      const server = await startServer();
      const outcome = await send(`smtp://127.0.0.1:${server.port}`, sampleMail({ to: { name: '', address } }));
      expect(outcome).to.deep.include({ kind: 'failed', permanent: true });
      expect(JSON.stringify(outcome)).not.to.include('evil');
      expect(server.received).to.deep.equal([]);
    });

  it('signs in with the percent-decoded user and password of SMTP_URL', async () => {
    const server = await startServer({ login: { user: 'shop@fjell.example', pass: 'p:a/s%s ø' } });
    const login = `${encodeURIComponent('shop@fjell.example')}:${encodeURIComponent('p:a/s%s ø')}`;
    expect(await send(`smtp://${login}@127.0.0.1:${server.port}`)).to.deep.equal({ kind: 'sent' });
    expect(server.received.map(({ user }) => user)).to.deep.equal(['shop@fjell.example']);
  });

  it('fails temporarily when the password is wrong, and does not put it into the message', async () => {
    const server = await startServer({ login: { user: 'shop', pass: 'right' } });
    const outcome = await send(`smtp://shop:mistaken-secret@127.0.0.1:${server.port}`);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    expect(JSON.stringify(outcome)).to.include('535').and.not.include('mistaken-secret');
  });

  it('encrypts from the first byte with smtps, and by STARTTLS where the server offers it', async () => {
    for (const [scheme, kind] of encryptions) {
      const tls = certificate(lasting);
      const server = await startServer({ tls: { kind, ...tls } });
      expect(await send(`${scheme}://localhost:${server.port}`, sampleMail(), { authorities: [tls.cert] })).to.deep.equal({ kind: 'sent' });
      expect(server.received.map(({ isEncrypted }) => isEncrypted)).to.deep.equal([true]);
    }
  });

  it('sends nothing to a server whose certificate is untrusted or for another host', async () => {
    for (const [scheme, kind] of encryptions) {
      const tls = certificate(lasting);
      const server = await startServer({ tls: { kind, ...tls } });
      const untrusted = await send(`${scheme}://localhost:${server.port}`);
      const otherHost = await send(`${scheme}://127.0.0.1:${server.port}`, sampleMail(), { authorities: [tls.cert] });
      for (const outcome of [untrusted, otherHost]) expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
      expect(server.received).to.deep.equal([]);
    }
  });

  it('sends no password unencrypted to another machine', async () => {
    const server = await startServer({ login: { user: 'shop', pass: 'secret' } });
    const elsewhere = { ...parseSmtpUrl('smtp://shop:secret@mail.example'), host: '127.0.0.1', port: server.port };
    expect(elsewhere.requireTls).to.equal(true);
    const outcome = await createSmtpSender(elsewhere, { timeoutMs: 5000 })(sampleMail(), new AbortController().signal);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    expect(server.received).to.deep.equal([]);
  });

  const answers: [string, MailServerBehaviour, boolean][] = [
    ['450 for the recipient', { recipient: () => '450 try later' }, false],
    ['550 for the recipient', { recipient: (address) => `550 <${address}>: no such user` }, true],
    ['451 after the message', { content: () => '451 try later' }, false],
    ['554 after the message', { content: () => '554 looks like spam' }, true],
  ];
  for (const [title, temper, permanent] of answers)
    it(`reports ${title} as a ${permanent ? 'permanent' : 'temporary'} failure without the address`, async () => {
      const server = await startServer(temper);
      const outcome = await send(`smtp://127.0.0.1:${server.port}`);
      expect(outcome).to.deep.include({ kind: 'failed', permanent });
      expect(JSON.stringify(outcome)).to.include(title.slice(0, 3)).and.not.include('trailnotes');
    });

  it('fails temporarily when nothing listens on the port', async () => {
    const server = await MailServer.start();
    const { port } = server;
    await server.stop();
    expect(await send(`smtp://127.0.0.1:${port}`)).to.deep.include({ kind: 'failed', permanent: false });
  });

  it('ends at once when it is aborted', async () => {
    const port = await startOddServer(() => stopping.abort());
    const stopping = new AbortController();
    const outcome = await send(`smtp://127.0.0.1:${port}`, sampleMail(), { timeoutMs: 600_000 }, stopping);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
  });

  const behaviours: [string, (socket: Socket) => void][] = [
    ['never greets', () => {}],
    ['greets and then stays silent', (socket) => socket.write('220 mail.example\r\n')],
    ['closes the connection at once', (socket) => socket.destroy()],
    ['greets with nonsense', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['refuses service', (socket) => socket.end('554 no service\r\n')],
    [
      'sends its greeting without end',
      (socket) => {
        const timer = setInterval(() => socket.write('220-still here\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ];
  for (const [title, behave] of behaviours)
    it(`fails temporarily when the server ${title}`, async () => {
      const port = await startOddServer(behave);
      const outcome = await send(`smtp://127.0.0.1:${port}`, sampleMail(), { timeoutMs: 200 });
      expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    });

  const { address } = sampleMail().to;
  const replies: [string, string][] = [
    ['refuses at great length', `550 ${`${address} `.repeat(50_000)}\r\n`],
    ['refuses with 200,000 letters', `550 ${'x'.repeat(200_000)}\r\n`],
    ['answers random bytes', '\u0000\u00ff\u001b[2J\r\n'],
    ['says yes to everything at once', '250 ok\r\n'.repeat(20)],
    ['greets with one line without end', 'x'.repeat(5_000_000)],
  ];
  for (const [title, reply] of replies)
    it(`reports a short sentence without addresses when the server ${title}`, async () => {
      const port = await startOddServer((socket) => {
        socket.write(title.startsWith('greets') ? `220-${reply}` : '220 mail.example\r\n');
        if (!title.startsWith('greets')) socket.on('data', () => socket.write(reply));
      });
      const outcome = JSON.stringify(await send(`smtp://127.0.0.1:${port}`, sampleMail(), { timeoutMs: 700 }));
      expect(outcome.length).to.be.below(1500);
      expect(outcome).not.to.include(address);
    });
});

describe('SMTP_URL', () => {
  it('sets host, port, encryption and login', () => {
    expect(parseSmtpUrl('smtp://mail.example')).to.deep.equal({
      host: 'mail.example',
      port: 587,
      secure: false,
      requireTls: false,
      login: null,
    });
    expect(parseSmtpUrl('smtps://a%40b.example:p%25@mail.example:2465/')).to.deep.equal({
      host: 'mail.example',
      port: 2465,
      secure: true,
      requireTls: true,
      login: { user: 'a@b.example', pass: 'p%' },
    });
    expect(parseSmtpUrl('smtps://mail.example').port).to.equal(465);
    expect(parseSmtpUrl('smtp://post.bücher.example').host).to.equal('post.xn--bcher-kva.example');
    expect(parseSmtpUrl('smtp://u:p@[::1]:25')).to.include({ host: '::1', port: 25, requireTls: false });
    for (const host of ['localhost', '127.0.0.1']) expect(parseSmtpUrl(`smtp://u:p@${host}`).requireTls, host).to.equal(false);
  });
});
