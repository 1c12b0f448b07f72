import type { Server } from 'node:https';
import type { Tls } from '../configuration.ts';

/** A renewed certificate is served within a minute. */
const checkIntervalMs = 30_000;

export interface RenewalOptions {
  /** Called when a renewed certificate is served; with an error where it cannot be used, and the former one stays. */
  onCertificate?: (error?: Error) => void;
  certificateCheckMs?: number;
}

/** Serves the certificate that the files hold now: a renewal replaces them, perhaps one after the other. New connections get the new one. */
export function renewCertificate(
  server: Server,
  tls: Tls,
  { onCertificate = () => {}, certificateCheckMs = checkIntervalMs }: RenewalOptions,
): void {
  let served = tls;
  let lastProblem = '';
  const check = (): void => {
    try {
      const { cert, key } = served.reread();
      lastProblem = '';
      if (cert === served.cert && key === served.key) return;
      served = { ...served, cert, key };
      server.setSecureContext({ cert, key });
      onCertificate();
    } catch (error) {
      const problem = error as Error;
      if (problem.message !== lastProblem) onCertificate(problem);
      lastProblem = problem.message;
    }
  };
  const timer = setInterval(check, certificateCheckMs).unref();
  server.once('close', () => clearInterval(timer));
}
