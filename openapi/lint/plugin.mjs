import { readdirSync } from 'node:fs';

const folder = new URL('./rules/', import.meta.url);

/** Every file of rules/ is a rule, named by the file. */
const rules = await Promise.all(
  readdirSync(folder).map(async (file) => [file.replace(/\.mjs$/, ''), (await import(new URL(file, folder).href)).default]),
);

export default () => ({ id: 'contract', rules: { oas3: Object.fromEntries(rules) } });
