import { mkdirSync } from 'node:fs';
import { buildWeb } from '../build/web.ts';
import type { Changes } from './changes.ts';
import { compile, compileAll, compiledFolder } from './compile.ts';
import type { Files } from './generated-folder.ts';
import type { Problem } from './problem.ts';
import type { Service } from './service.ts';

const pages = `${compiledFolder}/web`;

/** What will be served next: compiled from the sources and loaded, while it is still found out whether it may be. */
export class NextService {
  readonly #service: Service;
  /** generated/ as it is compiled now. */
  #generated: Files;
  #isWaiting = false;
  #arePagesWaiting = false;

  constructor(service: Service, generated: Files) {
    this.#service = service;
    this.#generated = generated;
  }

  /** Everything, from what is on the disk. Gives the address; null when it did not start. */
  async first(): Promise<string | null> {
    await compileAll();
    mkdirSync(pages, { recursive: true });
    const [, refusal] = await Promise.all([buildPages(), this.#service.load()]);
    if (refusal !== null) throw new Error(refusal);
    return this.#service.replace();
  }

  /** What differs from the service that answers now. Says what stands in the way. */
  async load({ code, pages }: Changes, generated: Files): Promise<Problem[]> {
    const made = Object.keys(generated).filter((file) => generated[file] !== this.#generated[file]);
    this.#generated = generated;
    this.#arePagesWaiting ||= pages || made.includes('generated/client.ts');
    this.#isWaiting ||= this.#arePagesWaiting || code.length + made.length > 0;
    const problems = await compile([...code, ...made], generated);
    if (!this.#isWaiting || problems.length > 0) return problems;
    const refusal = await this.#service.load();
    return refusal === null ? [] : [{ file: '', line: 0, column: 0, sentence: refusal, rule: null, causes: [] }];
  }

  /** It does not fit together. The next save begins with a fresh process. */
  discard(): void {
    if (this.#isWaiting) this.#service.discard();
    this.#service.prepare();
  }

  /** `nothing new` when what is served is what would be. */
  async serve(): Promise<'reloaded' | 'failed' | 'nothing new'> {
    if (!this.#isWaiting) return 'nothing new';
    if (this.#arePagesWaiting) await buildPages();
    const url = await this.#service.replace();
    this.#isWaiting = url === null;
    this.#arePagesWaiting = false;
    return url === null ? 'failed' : 'reloaded';
  }
}

/** What is wrong with them esbuild has said by then, with file and line. The pages stay as they were. */
const buildPages = (): Promise<void> => buildWeb(pages).catch(() => undefined);
