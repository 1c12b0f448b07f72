import { type SettingPath, settingPaths } from '../../site/settings/parse.ts';
import { code, notice, table } from './markdown.ts';

const introduction = `# Settings

What an operator decides about the program. They are kept in the database, so every process sees them, a running service within a second.

\`\`\`bash
npx affiliate settings list                        # every path with its value
npx affiliate settings set payouts.threshold 50    # the value is JSON; a word need not be quoted
npx affiliate settings get payouts.threshold
npx affiliate settings unset payouts.threshold     # back to the default
\`\`\`

A path or a value that makes no sense is refused with a sentence that says what would. How a process runs (ports, database, TLS) is not here but in [environment variables](../../README.md#run-it).
`;

interface Group {
  title: string;
  about?: string;
  holds(path: string): boolean;
}

const under =
  (...names: string[]) =>
  (path: string): boolean =>
    names.some((name) => path === name || path.startsWith(`${name}.`));

/** A path that none of them holds stops the generation, so that no setting is left out. */
const groups: readonly Group[] = [
  { title: 'The store', holds: under('store') },
  { title: 'What the site has', holds: under('edition', 'addons') },
  { title: 'Payouts', holds: (path) => under('payouts')(path) && !under('payouts.methods')(path) },
  { title: 'Commission', holds: under('commission', 'attribution', 'multi_level', 'registration') },
  { title: 'Limits', holds: under('limits', 'lockout') },
  { title: 'Everything else', holds: under('openapi_public', 'activity_log', 'cors', 'webhooks') },
  { title: 'Payout methods', about: 'The same three for every kind of method.', holds: under('payouts.methods') },
  { title: 'Switches', about: 'Each takes an operation, or a group of them, out of the service.', holds: under('switches') },
];

const row = ({ path, allowed, default: byDefault, description }: SettingPath): string[] => [
  code(path),
  allowed,
  code(JSON.stringify(byDefault)),
  description,
];

function section({ title, about }: Group, settings: readonly SettingPath[]): string {
  const rows = table(['path', 'must be', 'default', 'what it does'], settings.map(row));
  return `## ${title}\n\n${about === undefined ? '' : `${about}\n\n`}${rows}`;
}

/** Every setting by group, from the table that the service itself reads. */
export function formatSettingReference(): string {
  const homeless = settingPaths.filter(({ path }) => !groups.some(({ holds }) => holds(path)));
  if (homeless.length > 0)
    throw new Error(`Give ${homeless.map(({ path }) => path).join(', ')} a group in scripts/generate/setting-reference.ts.`);
  const sections = groups.map((group) =>
    section(
      group,
      settingPaths.filter(({ path }) => group.holds(path)),
    ),
  );
  return [notice('site/settings/schema.ts'), introduction, ...sections].join('\n');
}
