import { createRequire } from 'node:module';

/** Redocly's YAML parser. */
export const { load: parseYaml } = createRequire(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))('js-yaml') as {
  load(text: string): unknown;
};
