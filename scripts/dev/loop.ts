import { AskedProcess } from './asking.ts';
import { type Changes, sorted } from './changes.ts';
import { ContractReader, type Verdict } from './contract.ts';
import { GeneratedFolder } from './generated-folder.ts';
import { counted, sayAside, sayBad, sayGood, sayProblems } from './messages.ts';
import { NextService } from './next-service.ts';
import type { Problem } from './problem.ts';
import type { Service } from './service.ts';
import { Stopwatch } from './stopwatch.ts';
import type { TypesProcess } from './types-process.ts';

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
  /** The YAML that was saved since everything fitted together. */
  readonly #suspects = new Set<string>();

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
    await this.#check({ contract: ['openapi/openapi.yaml'], rules: false, code: [], pages: false }, new Stopwatch(performance.now()));
    this.#suspects.clear();
    await this.#types.ask('keep');
  }

  /** The second time is faster than the first, for programs too. Done while nobody waits, it makes the first save a second one. */
  async warmUp(): Promise<void> {
    const file = 'generated/api.d.ts';
    const files = this.#generated.files;
    const changed = { ...files, [file]: `${files[file]}\nexport type Unused = never;\n` };
    await Promise.all([this.#contract.read(new Stopwatch(0)).then(({ verdict }) => verdict), this.#types.ask('check', [], changed)]);
    await this.#types.ask('check', [], files);
  }

  async run(saved: readonly string[], sinceMs: number): Promise<void> {
    const changes = sorted(saved, this.#generated);
    if (changes.contract.length + changes.code.length === 0 && !changes.pages) return;
    if (changes.rules) await this.#contract.forgetRules();
    for (const file of changes.contract) this.#suspects.add(file);
    await this.#check(changes, new Stopwatch(sinceMs));
  }

  async end(): Promise<void> {
    await Promise.all([this.#types.forget(), this.#contract.forgetRules(), this.#service.end()]);
  }

  /** All at once, and nothing counts before all of it is good. */
  async #check(changes: Changes, watch: Stopwatch): Promise<void> {
    const read = changes.contract.length > 0 ? await this.#contract.read(watch) : null;
    const files = read?.generated?.files ?? this.#generated.files;
    const [verdict, misfits, obstacles] = await Promise.all([
      read?.verdict,
      watch.time('types', this.#types.ask('check', changes.code, files)),
      watch.time('load', this.#next.load(changes, files)),
    ]);
    if (verdict && !this.#accept(verdict)) return this.#next.discard();
    if (read?.generated) {
      this.#generated.write(files);
      this.#operations = read.generated.operations;
    }
    if (misfits.length + obstacles.length === 0) await this.#serve(read !== null, watch);
    else this.#refuse(misfits.length > 0 ? misfits : obstacles);
  }

  #accept({ problems, refusal }: Verdict): boolean {
    this.#isContractGood = problems.length === 0 && refusal === null;
    if (this.#isContractGood) return true;
    sayProblems(problems);
    if (refusal !== null) sayBad(refusal);
    sayBad(`${counted(Math.max(1, problems.length), 'problem')} in the contract. The service goes on with the last good one.`);
    return false;
  }

  #refuse(problems: readonly Problem[]): void {
    this.#next.discard();
    // The compiler knows the place of a field that is missing. Of one that is gone only we know what was saved.
    const suspects = [...this.#suspects].map((file) => `${file}, saved since`);
    sayProblems(problems.map((problem) => (problem.causes.length > 0 ? problem : { ...problem, causes: suspects })));
    sayBad(`${counted(problems.length, 'problem')} in the code${this.#afterContract()}. The service goes on as it was.`);
  }

  #afterContract(): string {
    return this.#suspects.size > 0 && this.#isContractGood ? ', which does not fit the contract any more' : '';
  }

  async #serve(isContractRead: boolean, watch: Stopwatch): Promise<void> {
    const outcome = await watch.time('restart', this.#next.serve());
    if (outcome === 'failed') return sayBad('The service did not start. Nothing is served until the next save.');
    this.#suspects.clear();
    const contract = isContractRead ? `contract ok · ${counted(this.#operations, 'operation')} · ` : '';
    sayGood(`${contract}types ok · ${outcome === 'reloaded' ? `reloaded in ${watch.total}` : `nothing to reload (${watch.total})`}`);
    if (!this.#isContractGood) sayBad('The contract is still broken, as said above; the last good one is served.');
    if (this.#showsTimes) sayAside(watch.parts);
    this.#service.prepare();
  }
}
