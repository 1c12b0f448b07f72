import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { knownMasterKey, masterKeyFile } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { formatError } from '../terminal/errors.ts';
import { isWritable } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { nearestFolder } from './host.ts';

const oneDayMs = 86_400_000;

export function checkDataFolder({ dataDir }: Configuration): Check {
  const name = 'data folder';
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found) return checkFutureFolder(name, dataDir);
  if (!found.isDirectory()) return problem(name, `${dataDir} is not a folder. Set DATA_DIR to one.`);
  if (isWritable(dataDir)) return ok(name, `${dataDir} can be written to.`);
  return problem(name, `${dataDir} cannot be written to by this user. Change its owner, or set DATA_DIR.`);
}

function checkFutureFolder(name: string, dataDir: string): Check {
  const above = nearestFolder(dataDir);
  if (isWritable(above))
    return warning(name, `${dataDir} does not exist. It is made at the first start; if it should be there, set DATA_DIR.`);
  return problem(name, `${dataDir} does not exist, and cannot be made in ${above}. Make it, or set DATA_DIR.`);
}

export function checkMasterKey({ masterKey, dataDir }: Configuration): Check {
  const name = 'master key';
  if (masterKey !== null) return ok(name, 'MASTER_KEY gives it.');
  const file = masterKeyFile(dataDir);
  if (!existsSync(file))
    return warning(
      name,
      `There is no ${file}. The service makes one when it first starts with a new database; if this is a restored backup, put the old one there.`,
    );
  try {
    knownMasterKey(null, dataDir);
    return ok(name, `${file} is there, for its owner alone.`);
  } catch (error) {
    return problem(name, formatError(error));
  }
}

export function checkHttps({ environment, tls, proxies }: Configuration): Check {
  const name = 'https';
  if (environment !== 'production') return ok(name, `Not needed: the environment is ${environment}.`);
  if (tls) return ok(name, 'The service speaks it itself.');
  if (!proxies.isEmpty) return ok(name, 'A trusted proxy speaks it.');
  return warning(name, 'Keys are refused over plain HTTP: set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES to the proxy that speaks HTTPS.');
}

/** Nothing to look at without TLS of our own. That the key belongs to the certificate, the configuration has made sure of. */
export const checkCertificate = ({ tls }: Pick<Configuration, 'tls'>, now: number): Check[] =>
  tls ? [validity(new X509Certificate(tls.cert), now)] : [];

function validity(certificate: X509Certificate, now: number): Check {
  const name = 'certificate';
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  if (now < from) return problem(name, `The certificate in TLS_CERT is valid from ${day(from)} on only. Look at the clock, or replace it.`);
  if (now > to) return problem(name, `The certificate in TLS_CERT expired on ${day(to)}. Replace it and restart the service.`);
  if (now > to - 14 * oneDayMs)
    return warning(name, `The certificate in TLS_CERT expires on ${day(to)}. Replace it and restart the service.`);
  return ok(name, `The certificate in TLS_CERT is valid until ${day(to)}.`);
}

export async function checkSiteModule({ siteModule }: Configuration): Promise<Check> {
  const name = 'site module';
  if (siteModule === null) return ok(name, 'None is configured.');
  try {
    await loadSiteModule(siteModule);
    return ok(name, `${siteModule} loads.`);
  } catch (error) {
    return problem(name, formatError(error));
  }
}

/** Time cannot have passed backwards since this program was put on the machine. */
export function checkClock(now: number, installedAt = statSync(fileURLToPath(import.meta.url)).mtimeMs): Check {
  const time = new Date(now).toISOString();
  if (now < installedAt - oneDayMs) return problem('clock', `The clock says ${time}, before this program was installed. Set it right.`);
  return ok('clock', `The clock says ${time}.`);
}
