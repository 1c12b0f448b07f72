import { AskedProcess } from './asking.ts';
import { type Changes, sorted } from './changes.ts';
import { ContractReader, type ReadContract, type Verdict } from './contract.ts';
import { GeneratedFolder } from './generated-folder.ts';
import { counted, sayAside, sayBad, sayGood, sayProblems } from './messages.ts';
import { NextService } from './next-service.ts';
import type { Problem } from './problem.ts';
import type { Service } from './service.ts';
import { Stopwatch } from './stopwatch.ts';
import type { TypesProcess } from './types-process.ts';
import { warmUp } from './warm-up.ts';

/** What happens after a save, from the YAML to the service that serves it. */
export class Loop {
  readonly #service: Service;
  readonly #showsTimes: boolean;
  readonly #types = new AskedProcess<TypesProcess>('./types-process.ts');
  readonly #contract = new ContractReader(this.#types);
  readonly #generated = new GeneratedFolder();
  readonly #next: NextService;
  #operations = 0;
  #isContractGood = true;
  /** The YAML that was saved since everything fitted together, and the code. */
  readonly #suspects = new Set<string>();
  readonly #unprovenCode = new Set<string>();

  constructor(service: Service, showsTimes: boolean) {
    this.#service = service;
    this.#showsTimes = showsTimes;
    this.#next = new NextService(service, this.#generated.files);
  }

  /** Serves what is there, and gives the address. Whether it is right is found out after that. */
  begin(): Promise<string | null> {
    return this.#next.first();
  }

  /** The first look at everything takes longest; what it found out is kept for the next start. */
  async lookAtAll(): Promise<void> {
    await this.#together({ contract: ['openapi/openapi.yaml'], rules: false, code: [], pages: false }, new Stopwatch(performance.now()));
    this.#suspects.clear();
    await this.#types.ask('keep');
  }

  warmUp(isIdle: () => boolean): Promise<void> {
    return warmUp({ contract: this.#contract, types: this.#types, files: this.#generated.files }, isIdle);
  }

  async run(saved: readonly string[], sinceMs: number): Promise<void> {
    const changes = sorted(saved, this.#generated);
    if (changes.contract.length + changes.code.length === 0 && !changes.pages) return;
    if (changes.rules) await this.#contract.forgetRules();
    for (const file of changes.contract) this.#suspects.add(file);
    for (const file of changes.code) this.#unprovenCode.add(file);
    const watch = new Stopwatch(sinceMs);
    await (this.#unprovenCode.size > 0 || changes.contract.length === 0
      ? this.#together(changes, watch)
      : this.#contractFirst(changes, watch));
    if (this.#showsTimes) sayAside(watch.parts);
  }

  async end(): Promise<void> {
    await Promise.all([this.#types.forget(), this.#contract.forgetRules(), this.#service.end()]);
  }

  /** Code was saved: all at once, and nothing counts before all of it is good. */
  async #together(changes: Changes, watch: Stopwatch): Promise<void> {
    const read = changes.contract.length > 0 ? await this.#contract.read(watch) : null;
    const files = read?.generated?.files ?? this.#generated.files;
    const [verdict, misfits, obstacles] = await Promise.all([
      read?.verdict,
      watch.time('types', this.#types.ask('check', changes.code, files)),
      watch.time('load', this.#next.load(changes, files)),
    ]);
    if (read && verdict && !this.#accept(read, verdict)) return;
    if (misfits.length + obstacles.length > 0) return this.#refuse(misfits.length > 0 ? misfits : obstacles);
    if (await this.#serve([...(read ? [this.#contractIsOk] : []), 'types ok'], watch)) this.#fits();
  }

  /** Only YAML was saved: a contract that keeps its rules is served at once, and what the code makes of it is found out meanwhile. */
  async #contractFirst(changes: Changes, watch: Stopwatch): Promise<void> {
    const read = await this.#contract.read(watch);
    const files = read.generated?.files ?? this.#generated.files;
    const [verdict, obstacles] = await Promise.all([read.verdict, watch.time('load', this.#next.load(changes, files))]);
    if (!this.#accept(read, verdict)) return;
    if (obstacles.length > 0) return this.#refuse(obstacles);
    // Not before: it would take the time of those that somebody waits for.
    const checked = watch.time('types', this.#types.ask('check', [], files));
    const isServed = await this.#serve([this.#contractIsOk], watch);
    const misfits = await checked;
    if (misfits.length > 0) return this.#complain(misfits, isServed ? 'The new contract is served; the code does not keep it yet.' : '');
    sayGood(`types ok (${watch.total})`);
    this.#fits();
  }

  #fits(): void {
    this.#suspects.clear();
    this.#unprovenCode.clear();
  }

  #accept({ generated }: ReadContract, { problems, refusal }: Verdict): boolean {
    this.#isContractGood = problems.length === 0 && refusal === null;
    if (!this.#isContractGood) {
      this.#next.discard();
      sayProblems(problems);
      if (refusal !== null) sayBad(refusal);
      sayBad(`${counted(Math.max(1, problems.length), 'problem')} in the contract. The service goes on with the last good one.`);
    } else if (generated) {
      this.#generated.write(generated.files);
      this.#operations = generated.operations;
    }
    return this.#isContractGood;
  }

  #refuse(problems: readonly Problem[]): void {
    this.#next.discard();
    this.#complain(problems, 'The service goes on as it was.');
  }

  #complain(problems: readonly Problem[], whatIsServed: string): void {
    // The compiler knows the place of a field that is missing. Of one that is gone only we know what was saved.
    const suspects = [...this.#suspects].map((file) => `${file}, saved since`);
    sayProblems(problems.map((problem) => (problem.causes.length > 0 ? problem : { ...problem, causes: suspects })));
    sayBad(`${counted(problems.length, 'problem')} in the code${this.#afterContract()}. ${whatIsServed}`.trim());
  }

  #afterContract(): string {
    return this.#suspects.size > 0 && this.#isContractGood ? ', which does not fit the contract any more' : '';
  }

  get #contractIsOk(): string {
    return `contract ok · ${counted(this.#operations, 'operation')}`;
  }

  async #serve(found: string[], watch: Stopwatch): Promise<boolean> {
    const outcome = await watch.time('restart', this.#next.serve());
    if (outcome === 'failed') sayBad('The service did not start. Nothing is served until the next save.');
    if (outcome === 'failed') return false;
    const end = outcome === 'reloaded' ? `reloaded in ${watch.total}` : `nothing to reload (${watch.total})`;
    sayGood([...found, end].join(' · '));
    if (!this.#isContractGood) sayBad('The contract is still broken, as said above; the last good one is served.');
    this.#service.prepare();
    return true;
  }
}
