import { readFileSync } from 'node:fs';

/**
 * The folders that the service and its command are compiled from. tsconfig.build.json has the only list: the build, the dev loop and the tests
 * read it here, and test/architecture/sources.test.ts holds it against the imports.
 */
export const sourceFolders = (JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] }).include;
