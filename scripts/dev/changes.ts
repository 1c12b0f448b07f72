import type { GeneratedFolder } from './generated-folder.ts';

/** What was saved, by what has to be done about it. */
export interface Changes {
  /** The contract's YAML, and what it is judged by. */
  contract: string[];
  /** Redocly keeps these as they were when it loaded them. */
  rules: boolean;
  code: string[];
  pages: boolean;
}

export function sorted(files: readonly string[], generated: GeneratedFolder): Changes {
  const news = files.filter((file) => !generated.isAsWritten(file));
  return {
    // Who changes generated/ by hand gets it back as it follows from the contract.
    contract: news.filter((file) => isContract(file) || file.startsWith('generated/')),
    rules: news.some((file) => file === 'redocly.yaml' || file.endsWith('.mjs')),
    code: news.filter((file) => file.endsWith('.ts') && !/^(generated|web)\//.test(file)),
    pages: news.some((file) => file.startsWith('web/')),
  };
}

/** Not the workflows, which are no part of it, and not what is written about it. */
const isContract = (file: string): boolean =>
  file === 'redocly.yaml' || (file.startsWith('openapi/') && !file.startsWith('openapi/workflows/') && /\.(yaml|mjs)$/.test(file));
