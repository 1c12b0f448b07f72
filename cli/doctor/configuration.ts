import { type Configuration, ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { formatError } from '../terminal/errors.ts';
import { type Check, problem } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration, or everything that is wrong with it: whoever mends one variable should not learn of the next by trying again. */
export function configurationIn(env: Environment): Configuration | Check[] {
  const problems: Check[] = [];
  let left = env;
  for (;;) {
    try {
      const configuration = readConfiguration(left);
      return problems.length === 0 ? configuration : problems;
    } catch (error) {
      problems.push(problem('configuration', formatError(error)));
      const [name] = /^[A-Z_]+/.exec(error instanceof ConfigurationError ? error.message : '') ?? [];
      const rest = without(left, name);
      if (!rest) return problems;
      left = rest;
    }
  }
}

/** Without the variable that a sentence began with, and those that make no sense without it. Undefined where there is nothing to leave out. */
function without(env: Environment, name: string | undefined): Environment | undefined {
  const left = (other: string): boolean => {
    if (name === undefined) return true;
    return name.startsWith('TLS_') ? !other.startsWith('TLS_') : other.replace(/_FILE$/, '') !== name.replace(/_FILE$/, '');
  };
  const kept = Object.entries(env).filter(([other]) => left(other));
  return kept.length < Object.keys(env).length ? Object.fromEntries(kept) : undefined;
}
