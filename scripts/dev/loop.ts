import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileContents, replaceFiles } from '../generate/stale-files.ts';
import { count, type Problem, printBad, printDim, printGood, printProblems, Stopwatch } from './output.ts';
import type { LintReport } from './redocly.ts';
import { Service } from './service.ts';
import { WorkerProcess } from './worker.ts';
import type { GeneratedContract } from './worker-process.ts';

/** Saved files by what has to be done about them. */
interface Changes {
  /** The contract's YAML, its lint rules, and generated/, which is restored after an edit by hand. */
  contract: string[];
  code: string[];
  arePagesChanged: boolean;
}

/** Lint takes four times as long as bundling, so its result comes later. */
interface ContractReading {
  generated: GeneratedContract | null;
  linted: Promise<LintReport>;
}

/** What happens after a save: lint, generate, type-check, compile, and replace the service if all of it is good. */
export class DevLoop {
  readonly #service: Service;
  readonly #showsTimes: boolean;
  readonly #linter = new WorkerProcess();
  readonly #compiler = new WorkerProcess();
  /** generated/ as it follows from the last good contract. */
  #generated: FileContents = readGenerated();
  #operations = 0;
  #isContractGood = true;
  #isComparisonDue = true;
  /** Saved since contract and code last fitted together. */
  readonly #changedContract = new Set<string>();
  readonly #changedCode = new Set<string>();

  constructor(env: NodeJS.ProcessEnv, showsTimes: boolean, onExit: (code: number | null) => void) {
    this.#service = new Service(env, this.#generated, onExit);
    this.#showsTimes = showsTimes;
  }

  /** Serves what is on the disk, unchecked. Returns the URL, or null if it did not start. */
  start(): Promise<string | null> {
    return this.#service.start();
  }

  /** The first check of everything. The compiler's part of it is stored for the next start. */
  async checkAll(): Promise<void> {
    await this.#checkTogether({ contract: ['openapi/openapi.yaml'], code: [], arePagesChanged: false }, new Stopwatch(performance.now()));
    this.#changedContract.clear();
    await this.#compiler.call('saveTypes');
  }

  async run(saved: readonly string[], sinceMs: number): Promise<void> {
    const files = saved.filter((file) => this.#generated[file] === undefined || this.#generated[file] !== readText(file));
    const changes = classifyChanges(files);
    if (changes.contract.length + changes.code.length === 0 && !changes.arePagesChanged) return;
    // Redocly keeps its configuration and our rules as they were when it loaded them.
    if (files.some((file) => file === 'redocly.yaml' || file.endsWith('.mjs'))) await this.#linter.stop();
    for (const file of changes.contract) this.#changedContract.add(file);
    if (changes.contract.length > 0) this.#isComparisonDue = true;
    for (const file of changes.code) this.#changedCode.add(file);
    const stopwatch = new Stopwatch(sinceMs);
    const isContractOnly = this.#changedCode.size === 0 && changes.contract.length > 0;
    await (isContractOnly ? this.#checkContractFirst(changes, stopwatch) : this.#checkTogether(changes, stopwatch));
    if (this.#showsTimes) printDim(stopwatch.parts);
  }

  /**
   * Compares a good contract with the released one, which `npm run check` does too. For the time between saves, because it takes as long as
   * lint. A failure is ignored: a contract that was broken meanwhile is reported with its save.
   */
  async reportBreaking(): Promise<void> {
    if (!this.#isComparisonDue || !this.#isContractGood) return;
    this.#isComparisonDue = false;
    const problems = await this.#linter.call('findBreaking').catch(() => []);
    printProblems(problems);
    if (problems.length > 0)
      printBad(`${count(problems.length, 'breaking change')} against the released contract. The new one is served here.`);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#compiler.stop(), this.#linter.stop(), this.#service.stop()]);
  }

  /** After a change of code: nothing is served before everything is good. */
  async #checkTogether(changes: Changes, stopwatch: Stopwatch): Promise<void> {
    const reading = changes.contract.length > 0 ? await this.#readContract(stopwatch) : null;
    const files = reading?.generated?.files ?? this.#generated;
    const [report, typeErrors, loadErrors] = await Promise.all([
      reading?.linted,
      stopwatch.time('types', this.#compiler.call('checkTypes', changes.code, files)),
      stopwatch.time('load', this.#service.load(changes.code, changes.arePagesChanged, files)),
    ]);
    if (reading && report && !this.#accept(reading, report)) return;
    if (typeErrors.length + loadErrors.length > 0) return this.#refuse(typeErrors.length > 0 ? typeErrors : loadErrors);
    if (await this.#reload([...(reading ? [this.#contractIsOk] : []), 'types ok'], stopwatch)) this.#clearChanges();
  }

  /** After a change of YAML only: a contract that passes lint is served at once, and the code is checked against it meanwhile. */
  async #checkContractFirst({ code, arePagesChanged }: Changes, stopwatch: Stopwatch): Promise<void> {
    const reading = await this.#readContract(stopwatch);
    const files = reading.generated?.files ?? this.#generated;
    const [report, loadErrors] = await Promise.all([
      reading.linted,
      stopwatch.time('load', this.#service.load(code, arePagesChanged, files)),
    ]);
    if (!this.#accept(reading, report)) return;
    if (loadErrors.length > 0) return this.#refuse(loadErrors);
    // Not earlier: it would compete with what the reload waits for.
    const checked = stopwatch.time('types', this.#compiler.call('checkTypes', [], files));
    const isServed = await this.#reload([this.#contractIsOk], stopwatch);
    const typeErrors = await checked;
    if (typeErrors.length > 0)
      return this.#reportCode(typeErrors, isServed ? 'The new contract is served; the code does not keep it yet.' : '');
    printGood(`types ok (${stopwatch.total})`);
    this.#clearChanges();
  }

  /** Lints and generates in two processes. */
  async #readContract(stopwatch: Stopwatch): Promise<ContractReading> {
    const generating = stopwatch.time('generate', this.#compiler.call('generate'));
    const generateError = generating.then(
      () => null,
      (error: Error) => error.message,
    );
    const linted = stopwatch.time('lint', this.#linter.call('lint')).then(async ({ problems, failure }) => ({
      problems,
      failure: failure ?? (problems.length > 0 ? null : await generateError),
    }));
    // Awaited later: until then a rejection must not end the process.
    linted.catch(() => {});
    return { generated: await generating.catch(() => null), linted };
  }

  #accept({ generated }: ContractReading, { problems, failure }: LintReport): boolean {
    this.#isContractGood = problems.length === 0 && failure === null;
    if (!this.#isContractGood) {
      this.#service.discard();
      printProblems(problems);
      if (failure !== null) printBad(failure);
      printBad(`${count(Math.max(1, problems.length), 'problem')} in the contract. The service goes on with the last good one.`);
    } else if (generated) {
      this.#generated = generated.files;
      this.#operations = generated.operations;
      // Only files that differ: editors and compilers read again what is written.
      replaceFiles(generated.files);
    }
    return this.#isContractGood;
  }

  #refuse(problems: readonly Problem[]): void {
    this.#service.discard();
    this.#reportCode(problems, 'The service goes on as it was.');
  }

  #reportCode(problems: readonly Problem[], whatIsServed: string): void {
    // The compiler points at the declaration of a missing field. For a removed field the saved files are the only hint.
    const files = [...this.#changedContract];
    const saved = files.length > 3 ? [`${files.length} files, saved since`] : files.map((file) => `${file}, saved since`);
    printProblems(problems.map((problem) => (problem.causes.length > 0 ? problem : { ...problem, causes: saved })));
    const isMisfit = this.#changedContract.size > 0 && this.#isContractGood;
    const where = `in the code${isMisfit ? ', which does not fit the contract any more' : ''}`;
    printBad(`${count(problems.length, 'problem')} ${where}. ${whatIsServed}`.trim());
  }

  async #reload(results: string[], stopwatch: Stopwatch): Promise<boolean> {
    const outcome = await stopwatch.time('restart', this.#service.reload());
    if (outcome === 'failed') {
      printBad('The service did not start. Nothing is served until the next save.');
      return false;
    }
    const end = outcome === 'reloaded' ? `reloaded in ${stopwatch.total}` : `nothing to reload (${stopwatch.total})`;
    printGood([...results, end].join(' · '));
    if (!this.#isContractGood) printBad('The contract is still broken, as said above; the last good one is served.');
    this.#service.prepare();
    return true;
  }

  #clearChanges(): void {
    this.#changedContract.clear();
    this.#changedCode.clear();
  }

  get #contractIsOk(): string {
    return `contract ok · ${count(this.#operations, 'operation')}`;
  }
}

/** Workflows and Markdown are not part of the contract. */
const isContract = (file: string): boolean =>
  file === 'redocly.yaml' || (file.startsWith('openapi/') && !file.startsWith('openapi/workflows/') && /\.(yaml|mjs)$/.test(file));

const classifyChanges = (files: readonly string[]): Changes => ({
  contract: files.filter((file) => isContract(file) || file.startsWith('generated/')),
  code: files.filter((file) => file.endsWith('.ts') && !/^(generated|web)\//.test(file)),
  arePagesChanged: files.some((file) => /^(web|client)\//.test(file)),
});

const readText = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

const readGenerated = (): FileContents =>
  Object.fromEntries(readdirSync('generated').map((name) => [`generated/${name}`, readFileSync(`generated/${name}`, 'utf8')]));
