import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Mail, MailOutcome } from '../../domain/mail/mail.ts';
import { createSmtpSender, type SmtpOptions } from '../../server/mail/smtp-sender.ts';
import { parseSmtpUrl } from '../../server/mail/smtp-url.ts';
import { certificate } from '../cli/certificate.ts';
import { MailServer, type Temper } from '../support/mail-server.ts';

const mail = (changes: Partial<Mail> = {}): Mail => ({
  id: 7,
  from: { name: 'Fjell & Sønner', address: 'no-reply@fjell.example' },
  to: { name: 'Trail Notes', address: 'hello@trailnotes.example' },
  subject: 'Fjell & Sønner: your application was accepted 🎿',
  text: 'Hello Trail Notes,\n\n.\nZażółć gęślą jaźń.\n',
  html: '<p>Hello Trail Notes,</p>\n<p>Zażółć gęślą jaźń.</p>\n',
  createdAt: Date.parse('2026-11-02T07:00:00Z'),
  ...changes,
});

const encryptions = [
  ['smtps', 'at once'],
  ['smtp', 'starttls'],
] as const;

const lasting = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000 };

describe('mail through SMTP', () => {
  const servers: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  const started = async (temper: Temper = {}): Promise<MailServer> => {
    const server = await MailServer.start(temper);
    servers.push(server);
    return server;
  };
  const send = (url: string, letter = mail(), options: SmtpOptions = {}, { signal } = new AbortController()): Promise<MailOutcome> =>
    createSmtpSender(parseSmtpUrl(url), { timeoutMs: 5000, ...options })(letter, signal);

  it('arrives as text and HTML with any letters in names, subject and body', async () => {
    const server = await started();
    expect(await send(`smtp://127.0.0.1:${server.port}`)).to.deep.equal({ kind: 'sent' });
    const [{ from, to, eml } = { from: '', to: [], eml: undefined }] = server.received;
    expect([from, to]).to.deep.equal(['no-reply@fjell.example', ['hello@trailnotes.example']]);
    expect(Object.fromEntries(eml?.headers ?? [])).to.include({
      from: 'Fjell & Sønner <no-reply@fjell.example>',
      to: 'Trail Notes <hello@trailnotes.example>',
      subject: mail().subject,
      'message-id': `<mail-7-${mail().createdAt}@fjell.example>`,
    });
    expect(eml?.parts.map(({ type, text }) => [type, text.trimEnd()])).to.deep.equal([
      ['text/plain; charset=utf-8', mail().text.trimEnd()],
      ['text/html; charset=utf-8', mail().html.trimEnd()],
    ]);
  });

  it('is one mail to one person, whatever names, subject and text say', async () => {
    const server = await started();
    const smuggled = 'x\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<all@evil.example>\r\nDATA\r\nBcc: eve@evil.example\r\n\r\n.\r\n';
    const letter = mail({ subject: smuggled, text: smuggled, html: smuggled, to: { name: smuggled, address: 'hello@trailnotes.example' } });
    expect(await send(`smtp://127.0.0.1:${server.port}`, letter)).to.deep.equal({ kind: 'sent' });
    expect(server.received.map(({ to }) => to)).to.deep.equal([['hello@trailnotes.example']]);
    expect([...(server.received[0]?.eml.headers.keys() ?? [])]).not.to.include.members(['bcc']);
  });

  for (const address of [
    'a@b.example>\r\nRCPT TO:<eve@evil.example',
    'a@b.example\nBcc: eve@evil.example',
    'a@b.example, eve@evil.example',
  ])
    it(`goes to nobody, for good, where the address is more than an address: ${JSON.stringify(address)}`, async () => {
      const server = await started();
      const outcome = await send(`smtp://127.0.0.1:${server.port}`, mail({ to: { name: '', address } }));
      expect(outcome).to.deep.include({ kind: 'failed', permanent: true });
      expect(JSON.stringify(outcome)).not.to.include('evil');
      expect(server.received).to.deep.equal([]);
    });

  it('signs in with user and password, written as in an address', async () => {
    const server = await started({ login: { user: 'shop@fjell.example', pass: 'p:a/s%s ø' } });
    const login = `${encodeURIComponent('shop@fjell.example')}:${encodeURIComponent('p:a/s%s ø')}`;
    expect(await send(`smtp://${login}@127.0.0.1:${server.port}`)).to.deep.equal({ kind: 'sent' });
    expect(server.received.map(({ user }) => user)).to.deep.equal(['shop@fjell.example']);
  });

  it('waits for the operator where the password is wrong, without telling it', async () => {
    const server = await started({ login: { user: 'shop', pass: 'right' } });
    const outcome = await send(`smtp://shop:mistaken-secret@127.0.0.1:${server.port}`);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    expect(JSON.stringify(outcome)).to.include('535').and.not.include('mistaken-secret');
  });

  it('is encrypted from the first byte with smtps, and by STARTTLS where the server offers it', async () => {
    for (const [scheme, kind] of encryptions) {
      const tls = certificate(lasting);
      const server = await started({ tls: { kind, ...tls } });
      expect(await send(`${scheme}://localhost:${server.port}`, mail(), { authorities: [tls.cert] })).to.deep.equal({ kind: 'sent' });
      expect(server.received.map(({ isEncrypted }) => isEncrypted)).to.deep.equal([true]);
    }
  });

  it('is not given to a server whose certificate nobody vouches for, or that is of another', async () => {
    for (const [scheme, kind] of encryptions) {
      const tls = certificate(lasting);
      const server = await started({ tls: { kind, ...tls } });
      const untrusted = await send(`${scheme}://localhost:${server.port}`);
      const ofAnother = await send(`${scheme}://127.0.0.1:${server.port}`, mail(), { authorities: [tls.cert] });
      for (const outcome of [untrusted, ofAnother]) expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
      expect(server.received).to.deep.equal([]);
    }
  });

  it('sends no password in the clear to another machine', async () => {
    const server = await started({ login: { user: 'shop', pass: 'secret' } });
    const elsewhere = { ...parseSmtpUrl('smtp://shop:secret@mail.example'), host: '127.0.0.1', port: server.port };
    expect(elsewhere.requireTls).to.equal(true);
    const outcome = await createSmtpSender(elsewhere, { timeoutMs: 5000 })(mail(), new AbortController().signal);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    expect(server.received).to.deep.equal([]);
  });

  const answers: [string, Temper, boolean][] = [
    ['450 of the recipient', { recipient: () => '450 try later' }, false],
    ['550 of the recipient', { recipient: (address) => `550 <${address}>: no such user` }, true],
    ['451 after the letter', { content: () => '451 try later' }, false],
    ['554 after the letter', { content: () => '554 looks like spam' }, true],
  ];
  for (const [title, temper, permanent] of answers)
    it(`takes ${title} ${permanent ? 'for good' : 'as a reason to try again'}, and tells no address`, async () => {
      const server = await started(temper);
      const outcome = await send(`smtp://127.0.0.1:${server.port}`);
      expect(outcome).to.deep.include({ kind: 'failed', permanent });
      expect(JSON.stringify(outcome)).to.include(title.slice(0, 3)).and.not.include('trailnotes');
    });

  it('is tried again where nobody listens', async () => {
    const server = await MailServer.start();
    const { port } = server;
    await server.stop();
    expect(await send(`smtp://127.0.0.1:${port}`)).to.deep.include({ kind: 'failed', permanent: false });
  });

  it('is let go of at once where nobody can wait any longer', async () => {
    const server = await odd(() => stopping.abort());
    servers.push(server);
    const stopping = new AbortController();
    const outcome = await send(`smtp://127.0.0.1:${server.port}`, mail(), { timeoutMs: 600_000 }, stopping);
    expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
  });

  const behaviours: [string, (socket: Socket) => void][] = [
    ['says nothing', () => {}],
    ['greets and then says nothing', (socket) => socket.write('220 mail.example\r\n')],
    ['hangs up at once', (socket) => socket.destroy()],
    ['greets with nonsense', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['has no service today', (socket) => socket.end('554 no service\r\n')],
    [
      'drips its greeting for ever',
      (socket) => {
        const timer = setInterval(() => socket.write('220-still here\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ];
  for (const [title, behave] of behaviours)
    it(`is tried again later where the server ${title}`, async () => {
      const server = await odd(behave);
      servers.push(server);
      const outcome = await send(`smtp://127.0.0.1:${server.port}`, mail(), { timeoutMs: 200 });
      expect(outcome).to.deep.include({ kind: 'failed', permanent: false });
    });
});

async function odd(behave: (socket: Socket) => void): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

describe('SMTP_URL', () => {
  it('says where, how and as whom', () => {
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
