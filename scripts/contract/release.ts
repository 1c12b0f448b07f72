import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BreakingChange, compareWithReleased, formatChange, releasedFile } from './compare-released.ts';

/**
 * Makes the bundle the released contract. A breaking change needs a new major version, or a version that is not published yet: then the top
 * section of CHANGELOG.md says so and names each change, so that no state of the contract is narrowed unsaid.
 */
export async function releaseContract(isUnpublished: boolean): Promise<string> {
  const { revision, breaking, isNewMajor } = await compareWithReleased();
  if (breaking.length > 0 && !isNewMajor) requireAnnounced(revision, breaking, isUnpublished ? readFileSync('CHANGELOG.md', 'utf8') : null);
  copyFileSync('generated/openapi.json', releasedFile);
  return revision;
}

/** Throws unless the top section of the changelog, where one is given, says that the version is not published and names every change. */
export function requireAnnounced(version: string, breaking: readonly BreakingChange[], changelog: string | null): void {
  const refuse = (changes: readonly BreakingChange[], remedy: string): never => {
    throw new Error([...changes.map(formatChange), `${remedy} ${releasedFile} stays as it was.`].join('\n'));
  };
  if (changelog === null)
    return refuse(
      breaking,
      `These changes break clients of ${version}. Make a new major version; if ${version} is not published, pass \`-- --unpublished\`.`,
    );
  const [, newest = ''] = changelog.split(/^## /m);
  if (!newest.includes(`${version} is not published`))
    refuse(
      [],
      `The top section of CHANGELOG.md does not say that ${version} is not published. Write it there, or make a new major version.`,
    );
  const lines = newest.split('\n');
  const isListed = (change: BreakingChange): boolean =>
    namesOf(change).some((name) => lines.some((line) => [name, fieldOf(change)].every((word) => line.includes(`\`${word}\``))));
  const unlisted = breaking.filter((change) => !isListed(change));
  if (unlisted.length > 0)
    refuse(
      unlisted,
      'Name each operation or component above with the field in a line of the top section of CHANGELOG.md, such as `POST /keys` and `x-scope`.',
    );
}

/** The operation, and the component that the change is written in. */
const namesOf = ({ sentence, file }: BreakingChange): string[] => [
  sentence.split(/ › |: /, 1)[0] ?? '',
  ...(file.includes('/components/') ? [path.basename(file, '.yaml')] : []),
];

/** What changed, as the sentence names it last: `search` of `GET /affiliates › parameter search: …`; the operation itself where it is gone. */
function fieldOf({ sentence }: BreakingChange): string {
  const [first = '', ...inside] = (sentence.split(': ', 1)[0] ?? '').split(' › ');
  return inside.at(-1)?.split(' ').at(-1) ?? first;
}
