import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { Configuration, MetricsAddress } from '../../server/configuration.ts';
import { probeSmtp } from '../../server/mail/smtp-sender.ts';
import { formatError } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { databaseFile } from './machine.ts';

/** The port must be free, or in use by the service itself. */
export async function checkPort(configuration: Configuration): Promise<Check> {
  const { host, port, tls } = configuration;
  const name = 'port';
  if (port === 0) return ok(name, 'Any free port.');
  const where = `${port} on ${host}`;
  if (!(await isPortTaken(host, port))) return ok(name, `${where} is free: the service is not running.`);
  if (await responseMatches(`${tls ? 'https' : 'http'}://${localAddress(host)}:${port}/healthz`, /^\{"status":"ok"\}$/))
    return (await servesThisDatabase(configuration))
      ? ok(name, `The service answers on ${where}.`)
      : problem(name, `A service of another installation answers on ${where}: none serves this database. Stop it, or set PORT.`);
  return problem(name, `PORT ${where} is taken by another program. Set PORT to another one, or stop that program.`);
}

/** What the port serves must be the certificate of the file: a renewal takes 30 seconds, and one that cannot be used changes nothing. */
export async function checkServedCertificate({ host, port, tls }: Pick<Configuration, 'host' | 'port' | 'tls'>): Promise<Check[]> {
  const served = tls && port !== 0 ? await servedCertificate(host, port) : null;
  if (!tls || !served) return [];
  const name = 'served certificate';
  if (served.equals(new X509Certificate(tls.cert).raw)) return [ok(name, `Port ${port} serves the certificate of TLS_CERT.`)];
  return [
    problem(
      name,
      `Port ${port} on ${host} serves another certificate than the file of TLS_CERT. If it was renewed a moment ago, wait 30 seconds; otherwise see the log of the service, or restart it.`,
    ),
  ];
}

/** Null where nothing serves TLS. */
const servedCertificate = (host: string, port: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const socket = connectTls({ host: reachableHost(host), port, rejectUnauthorized: false, timeout: timeoutMs });
    const end = (certificate: Buffer | null): void => {
      socket.destroy();
      resolve(certificate);
    };
    socket.once('secureConnect', () => end(socket.getPeerCertificate().raw ?? null));
    socket.once('error', () => end(null)).once('timeout', () => end(null));
  });

/** Only a SQLite file says whether it is served. */
async function servesThisDatabase(configuration: Configuration): Promise<boolean> {
  const file = databaseFile(configuration);
  if (file === null) return true;
  const { isServed } = await import('../../db/engine/sqlite/serve-lock.ts');
  return isServed(file);
}

export async function checkMetricsPort({ metrics }: { metrics: MetricsAddress | null }): Promise<Check[]> {
  if (!metrics || metrics.port === 0) return [];
  const { host, port } = metrics;
  const isOurs = await responseMatches(`http://${localAddress(host)}:${port}/metrics`, /affiliate_build_info|process_cpu_seconds_total/);
  if (isOurs || !(await isPortTaken(host, port))) return [];
  return [problem('metrics', `METRICS_PORT ${port} on ${host} is taken by another program. Set METRICS_PORT to another one.`)];
}

/** A service that listens on all addresses listens on this one. */
const reachableHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

/** As part of a URL. */
const localAddress = (host: string): string => reachableHost(host).replace(/^.*:.*$/, '[$&]');

const timeoutMs = 3000;

const isPortTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: reachableHost(host), port, timeout: timeoutMs });
    const end = (isTaken: boolean) => (): void => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });

/** Accepts any certificate: the request is to this machine. */
const responseMatches = (url: string, pattern: RegExp): Promise<boolean> =>
  new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, { rejectUnauthorized: false, timeout: timeoutMs }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve(pattern.test(text)));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.end();
  });

const countMails = (folder: string): number =>
  existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')).length : 0;

const withoutMails =
  'People who apply cannot confirm their address, accepted affiliates get no link to set a password, and no password can be reset. Set SMTP_URL.';

/** Connects and signs in, but sends nothing. */
export async function checkMailServer({ smtp, environment, dataDir }: Configuration): Promise<Check> {
  const name = 'mail';
  if (!smtp) {
    const written = countMails(path.join(dataDir, 'mail'));
    const message = `Mails are written to ${dataDir}/mail and not sent: ${written} so far.`;
    return environment === 'production' ? warning(name, `${message} ${withoutMails}`) : ok(name, message);
  }
  try {
    await probeSmtp(smtp);
    return ok(name, `The mail server ${smtp.host} accepts mails.`);
  } catch (error) {
    return problem(name, `The mail server ${smtp.host} on port ${smtp.port} cannot be used: ${formatError(error)} Check SMTP_URL.`);
  }
}
