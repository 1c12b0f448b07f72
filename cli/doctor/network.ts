import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Configuration, MetricsAddress } from '../../server/configuration.ts';
import { probeSmtp } from '../../server/mail/smtp-probe.ts';
import { formatError } from '../terminal/errors.ts';
import { type Check, ok, problem, warning } from './check.ts';

/** Is the port free, or is it the service itself that has it? */
export async function checkPort({ host, port, tls }: Configuration): Promise<Check> {
  const name = 'port';
  if (port === 0) return ok(name, 'Any that is free.');
  const where = `${port} on ${host}`;
  if (!(await isTaken(host, port))) return ok(name, `${where} is free: the service is not running.`);
  if (await isOurs(reachable(host), port, tls !== null)) return ok(name, `The service answers on ${where}.`);
  return problem(name, `PORT ${where} is taken by another program. Set PORT to another one, or end that program.`);
}

export async function checkMetricsPort({ metrics }: { metrics: MetricsAddress | null }): Promise<Check[]> {
  if (!metrics || metrics.port === 0) return [];
  const { host, port } = metrics;
  const isTold = await answersWith(`http://${urlHost(reachable(host))}:${port}/metrics`, /affiliate_build_info|process_cpu_seconds_total/);
  if (isTold || !(await isTaken(host, port))) return [];
  return [problem('metrics', `METRICS_PORT ${port} on ${host} is taken by another program. Set METRICS_PORT to another one.`)];
}

/** Listening everywhere, it listens here. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const patienceMs = 3000;

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: reachable(host), port, timeout: patienceMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });

const isOurs = (host: string, port: number, isTls: boolean): Promise<boolean> =>
  answersWith(`${isTls ? 'https' : 'http'}://${urlHost(host)}:${port}/healthz`, /^\{"status":"ok"\}$/);

/** Whose certificate it is does not matter: we ask ourselves. */
const answersWith = (url: string, pattern: RegExp): Promise<boolean> =>
  new Promise((resolve) => {
    const ask = url.startsWith('https:') ? httpsRequest : httpRequest;
    const asked = ask(url, { rejectUnauthorized: false, timeout: patienceMs }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => resolve(pattern.test(text)));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false));
    asked.end();
  });

/** Says nothing to anybody: it connects, signs in where there is a password, and leaves. */
export async function checkMailServer({ smtp, environment, dataDir }: Configuration): Promise<Check> {
  const name = 'mail';
  if (!smtp) {
    const says = `Mails are written to ${dataDir}/mail and reach nobody.`;
    return environment === 'production' ? warning(name, `${says} Set SMTP_URL.`) : ok(name, says);
  }
  try {
    await probeSmtp(smtp);
    return ok(name, `The mail server ${smtp.host} takes mails.`);
  } catch (error) {
    return problem(name, `The mail server ${smtp.host} on port ${smtp.port} cannot be used: ${formatError(error)} Look at SMTP_URL.`);
  }
}
