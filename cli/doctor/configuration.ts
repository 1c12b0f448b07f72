import { type Configuration, ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { formatError } from '../terminal/errors.ts';
import { type Check, problem } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration, or all its errors: reads it again without each invalid variable. */
export function checkConfiguration(env: Environment): Configuration | Check[] {
  const problems: Check[] = [];
  for (let rest: Environment | undefined = env; rest; ) {
    try {
      const configuration = readConfiguration(rest);
      return problems.length === 0 ? configuration : problems;
    } catch (error) {
      problems.push(problem('configuration', formatError(error)));
      // The sentence begins with the name of the variable.
      rest = withoutVariable(rest, /^[A-Z_]+/.exec(error instanceof ConfigurationError ? error.message : '')?.[0]);
    }
  }
  return problems;
}

/** Without the variable and those that depend on it. Undefined if there is no such variable. */
function withoutVariable(env: Environment, name: string | undefined): Environment | undefined {
  if (name === undefined) return undefined;
  const baseName = (variable: string): string => (variable.startsWith('TLS_') ? 'TLS' : variable.replace(/_FILE$/, ''));
  const rest = Object.entries(env).filter(([other]) => baseName(other) !== baseName(name));
  return rest.length < Object.keys(env).length ? Object.fromEntries(rest) : undefined;
}
