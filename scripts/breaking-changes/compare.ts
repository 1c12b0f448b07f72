import { redocly } from '../redocly.ts';

interface Place {
  file: string;
  line: number;
}

interface DiffReport {
  infoVersions: { base: string; revision: string };
  changes: { path: string; verdicts: { impact: string; message: string; ruleId: string; location: Place }[] }[];
}

export interface BreakingChange extends Place {
  message: string;
}

export interface Comparison {
  released: string;
  current: string;
  breaking: BreakingChange[];
}

/** Compares two contracts with Redocly's rules of what breaks a client. */
export function compareContracts(released: string, current: string, config: string): Comparison {
  const { stdout, stderr } = redocly(['diff', released, current, '--config', config, '--format', 'json', '--fail-on', 'none']);
  if (!stdout.startsWith('{')) throw new Error(`The contracts could not be compared.\n${stdout}${stderr}`);
  const report = JSON.parse(stdout) as DiffReport;
  const verdicts = report.changes.flatMap((change) => change.verdicts).filter((verdict) => verdict.impact === 'major');
  return {
    released: report.infoVersions.base,
    current: report.infoVersions.revision,
    breaking: verdicts.map(({ message, ruleId, location }) => ({
      message: `${message} (${ruleId})`,
      file: location.file,
      line: location.line,
    })),
  };
}

const major = (version: string): number => Number(version.split('.')[0]);

/** Breaking a client is allowed in a new major version, and nowhere else. */
export const isAllowed = ({ released, current, breaking }: Comparison): boolean =>
  breaking.length === 0 || major(current) > major(released);
